/** `colophon version`: prints the versions of the program, its API and Node. */
import { apiVersion, readReleaseVersion } from '../base/build.ts';
import { type Command, exitCodes, jsonOption } from './command.ts';

/** The command `version`. */
export const version: Command = {
  name: 'version',
  summary: 'Show the versions of Colophon, its API and Node.',
  options: [jsonOption],
  async run({ terminal, flag }) {
    const { versions, platform, arch } = process;
    const all = { version: readReleaseVersion(), api_version: apiVersion, node_version: versions.node, platform, arch };
    terminal.out(
      flag('json')
        ? `${JSON.stringify(all)}\n`
        : `colophon ${all.version} (API v1, ${apiVersion}; Node ${versions.node}; ${platform} ${arch})\n`,
    );
    return exitCodes.done;
  },
};
