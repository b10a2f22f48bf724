/** `colophon version`: prints the versions of the program, its API and Node. */
import { apiVersion, releaseVersion } from '../base/build.ts';
import { type Command, exitCodes } from './command.ts';

export const version: Command = {
  name: 'version',
  summary: 'Show the versions of Colophon, its API and Node.',
  options: { json: { help: 'Print JSON.' } },
  async run({ terminal, flag }) {
    const release = releaseVersion();
    const { versions, platform, arch } = process;
    if (flag('json')) {
      const all = { version: release, api_version: apiVersion, node_version: versions.node, platform, arch };
      terminal.out(`${JSON.stringify(all)}\n`);
    } else terminal.out(`colophon ${release} (API v1, ${apiVersion}; Node ${versions.node}; ${platform} ${arch})\n`);
    return exitCodes.done;
  },
};
