#!/usr/bin/env node
// Checks the version first, in syntax that any Node reads, and only then loads the program.
import './node-version.js';
import module from 'node:module';
import url from 'node:url';

// Compiled code is kept beside the packages, or where NODE_COMPILE_CACHE says. Where that cannot be written, nothing is.
module.enableCompileCache(url.fileURLToPath(new URL('../node_modules/.cache/colophon', import.meta.url)));

import('../lib/main.js').then((program) => program.main(process.argv.slice(2)));
