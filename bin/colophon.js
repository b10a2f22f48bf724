#!/usr/bin/env node
// Finds the Node to run on, in syntax that any Node reads, and only then loads the program.
import module from 'node:module';
import url from 'node:url';
import { runsHere } from './installed-node.js';

if (runsHere()) {
  // Compiled code is kept next to the packages: a start takes a third less processor time. Where that folder is not
  // writable, nothing is kept.
  module.enableCompileCache(url.fileURLToPath(new URL('../node_modules/.cache/colophon', import.meta.url)));

  import('../src/main.ts').then((program) => program.main(process.argv.slice(2)));
} else {
  // The other Node gets the arguments of this process.
  import('./launch.js').then((launcher) => launcher.default(process.execArgv.concat(process.argv.slice(1))));
}
