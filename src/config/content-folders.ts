/** The folders of content that come with the server. */
import { resolve } from 'node:path';

/** The product that is served when no folder is named. */
export const shippedContent = resolve(import.meta.dirname, '../../content');
/** The sandbox's fixtures. */
export const sandboxContent = resolve(import.meta.dirname, '../../content-sandbox');
