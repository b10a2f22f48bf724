#!/usr/bin/env node
/** Runs `colophon import` with the arguments of this command, from the `colophon` package that is installed next to this one. */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const manifest = createRequire(import.meta.url).resolve('colophon/package.json');
process.argv.splice(2, 0, 'import');
await import(join(dirname(manifest), 'bin/colophon.js'));
