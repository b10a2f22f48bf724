#!/usr/bin/env node
// Checks the version first, in syntax that any Node reads, and only then loads the program.
import './node-version.js';

import('../src/cli/main.ts').then((program) => program.main(process.argv.slice(2)));
