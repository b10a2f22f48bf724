/** Every command, in the order that the help lists them. */
import { check } from './check.ts';
import type { Command } from './command.ts';
import { createCompletion } from './completion.ts';
import { config } from './config.ts';
import { dev } from './dev.ts';
import { doctor } from './doctor.ts';
import { feedAccept, feedVerify } from './feed.ts';
import { init } from './init.ts';
import { openapi } from './openapi.ts';
import { probe } from './probe.ts';
import { serve } from './serve.ts';
import { backup, clientsList, clientsRevoke, restore } from './store.ts';
import { version } from './version.ts';

export const commands: readonly Command[] = [
  init,
  check,
  dev,
  serve,
  feedVerify,
  feedAccept,
  probe,
  doctor,
  clientsList,
  clientsRevoke,
  backup,
  restore,
  openapi,
  config,
  version,
  createCompletion(() => commands),
];
