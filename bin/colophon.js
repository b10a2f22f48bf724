#!/usr/bin/env node
// Checks the version first, in syntax that any Node reads, and only then loads the program.
import './node-version.js';
import module from 'node:module';
import url from 'node:url';

// Compiled code is kept next to the packages: a start takes a third less processor time. Where that folder is not
// writable, nothing is kept.
module.enableCompileCache(url.fileURLToPath(new URL('../node_modules/.cache/colophon', import.meta.url)));

import('../src/main.ts').then((program) => program.main(process.argv.slice(2)));
