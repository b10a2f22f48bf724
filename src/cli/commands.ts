/** Every command by its name, in the order that the help lists them. Each is loaded when it is asked for: a server has no use for the others. */
import type { Command } from './command.ts';

const loaders: ReadonlyMap<string, () => Promise<Command>> = new Map([
  ['init', async () => (await import('./init.ts')).init],
  ['import', async () => (await import('./import.ts')).importCommand],
  ['check', async () => (await import('./check.ts')).check],
  ['dev', async () => (await import('./dev.ts')).dev],
  ['serve', async () => (await import('./serve.ts')).serve],
  ['feed verify', async () => (await import('./feed.ts')).feedVerify],
  ['feed accept', async () => (await import('./feed.ts')).feedAccept],
  ['clients list', async () => (await import('./store.ts')).clientsList],
  ['clients revoke', async () => (await import('./store.ts')).clientsRevoke],
  ['backup', async () => (await import('./store.ts')).backup],
  ['restore', async () => (await import('./store.ts')).restore],
  ['openapi', async () => (await import('./openapi.ts')).openapi],
  ['config', async () => (await import('./config.ts')).config],
  ['version', async () => (await import('./version.ts')).version],
]);

export const commandNames: readonly string[] = [...loaders.keys()];

/** Null when there is no command of that name. */
export const loadCommand = async (name: string): Promise<Command | null> => (await loaders.get(name)?.()) ?? null;

export const allCommands = (): Promise<Command[]> => Promise.all([...loaders.values()].map((load) => load()));
