/** Runs the exercise with the installed package, in Node, Bun and Deno. */

import process from 'node:process';
import * as client from '@colophon/client';
import { exercise } from './exercise.js';

console.log(JSON.stringify(await exercise(client, { origin: process.argv[2], mayHoldSecret: true })));
