/** Preloaded before each test file: caches compiled code on disk, so that the next test file need not compile it again. */
import module from 'node:module';
import { fileURLToPath } from 'node:url';

module.enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/colophon-test', import.meta.url)));
