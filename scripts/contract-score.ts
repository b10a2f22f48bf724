/** Fails when the contract scores below 90 of 100 in redocly's measure of how well programs and agents can use it. */
import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';

const least = 90;
const root = resolve(import.meta.dirname, '..');
const redocly = resolve(root, 'node_modules/@redocly/cli/bin/cli.js');

const output = execFileSync(process.execPath, [redocly, 'score', 'openapi.json', '--format', 'json'], {
  cwd: root,
  encoding: 'utf8',
  stdio: ['ignore', 'pipe', 'ignore'],
  env: { ...process.env, REDOCLY_TELEMETRY: 'off' },
});
const { agentReadiness }: { agentReadiness: number } = JSON.parse(output.slice(output.indexOf('{')));

if (agentReadiness < least) {
  process.stderr.write(`openapi.json scores ${agentReadiness}, below ${least}. See: npx redocly score openapi.json\n`);
  process.exitCode = 1;
} else process.stdout.write(`openapi.json scores ${agentReadiness} of 100\n`);
