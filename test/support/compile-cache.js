/** Loaded before each test file: compiled code is kept from one to the next, as `colophon` itself keeps it. */
import module from 'node:module';
import { fileURLToPath } from 'node:url';

module.enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/colophon-test', import.meta.url)));
