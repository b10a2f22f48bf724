/** The MCP conformance suite: against its fixtures in the dispatcher, and against /mcp and /mcp/docs where it needs no fixtures. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { startTestServer, type TestServer } from '../support/server.ts';
import { startFixtureServer } from './fixtures/mcp-server.ts';

const suite = resolve(import.meta.dirname, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');

/** Scenarios of features that a public, read-only server does not have: they are expected to fail, and the run fails if one passes. */
const missingFeatures = {
  logging: ['logging-set-level', 'tools-call-with-logging'],
  progress: ['tools-call-with-progress'],
  sampling: ['tools-call-sampling'],
  elicitation: ['tools-call-elicitation', 'elicitation-sep1034-defaults', 'elicitation-sep1330-enums'],
  subscriptions: ['resources-subscribe', 'resources-unsubscribe'],
  /** The suite warns about the missing session ID up to version 2025-11-25; later versions have no sessions. */
  sessions: ['server-sse-multiple-streams'],
  /** The scenarios need a tool that requests input from the client; no tool of the service does. */
  inputRequired: [
    'input-required-result-basic-elicitation',
    'input-required-result-basic-sampling',
    'input-required-result-basic-list-roots',
    'input-required-result-request-state',
    'input-required-result-multiple-input-requests',
    'input-required-result-multi-round',
    'input-required-result-missing-input-response',
    'input-required-result-ignore-extra-params',
    'input-required-result-non-tool-request',
    'input-required-result-result-type',
    'input-required-result-tampered-state',
    'input-required-result-capability-check',
  ],
  /** The scenarios need a tool that requires a capability of the client. */
  clientCapabilities: [
    'server-stateless:sep-2575-server-rejects-undeclared-capability',
    'server-stateless:sep-2575-missing-capability-http-400',
  ],
};

/** The fixture server checks no host and no origin; the tests of /mcp and /mcp/docs run this scenario. */
const transport = ['dns-rebinding-protection'];

const upTo2025 = [
  ...missingFeatures.logging,
  ...missingFeatures.progress,
  ...missingFeatures.sampling,
  ...missingFeatures.elicitation,
  ...missingFeatures.subscriptions,
];

/** Scenarios that need no fixtures, so that they run against any server, by version of the protocol. */
const generalScenarios = {
  '2025-06-18': [
    'server-initialize',
    'server-session-lifecycle',
    'ping',
    'tools-list',
    'resources-list',
    'prompts-list',
  ],
  '2025-11-25': [
    'server-initialize',
    'server-session-lifecycle',
    'ping',
    'tools-list',
    'resources-list',
    'prompts-list',
    'dns-rebinding-protection',
  ],
  '2026-07-28': [
    'tools-list',
    'resources-list',
    'prompts-list',
    'server-sse-multiple-streams',
    'sep-2164-resource-not-found',
    'caching',
    'http-header-validation',
    'dns-rebinding-protection',
    'input-required-result-unsupported-methods',
  ],
} as const;

describe('The MCP conformance suite', () => {
  let directory: string;
  before(() => {
    directory = mkdtempSync(join(tmpdir(), 'conformance-'));
  });
  after(() => rmSync(directory, { recursive: true, force: true }));

  const run = (url: string, words: readonly string[]): Promise<{ code: number; output: string }> =>
    new Promise((resolve) => {
      execFile(
        process.execPath,
        [suite, 'server', '--url', url, '--output-dir', directory, ...words],
        { maxBuffer: 100_000_000, timeout: 120_000 },
        (error, stdout, stderr) =>
          resolve({ code: error === null ? 0 : Number(error.code ?? 1), output: stdout + stderr }),
      );
    });

  describe('the MCP dispatcher with the fixtures of the suite', () => {
    let fixtures: Awaited<ReturnType<typeof startFixtureServer>>;
    before(async () => {
      fixtures = await startFixtureServer();
    });
    after(() => fixtures.close());

    for (const [name, words, expected] of [
      [
        '2025-06-18',
        ['--spec-version', '2025-06-18'],
        upTo2025.filter((scenario) => !scenario.startsWith('elicitation-')),
      ],
      ['2025-11-25', ['--requirements', '2025-11-25'], [...upTo2025, ...missingFeatures.sessions, ...transport]],
      [
        '2026-07-28',
        ['--requirements', '2026-07-28'],
        [
          ...missingFeatures.progress,
          ...missingFeatures.inputRequired,
          ...missingFeatures.clientCapabilities,
          ...transport,
        ],
      ],
    ] as const) {
      it(`the suite for version ${name} passes, except for features that the server does not have`, async () => {
        const file = join(directory, `${name}.json`);
        writeFileSync(file, JSON.stringify({ server: expected }));
        const { code, output } = await run(fixtures.url, [...words, '--expected-failures', file]);
        assert.equal(code, 0, output.slice(-4000));
        assert.match(output, /Total: \d{2,} passed/);
      });
    }
  });

  describe('POST /mcp and /mcp/docs without fixtures', () => {
    let server: TestServer;
    before(async () => {
      server = await startTestServer();
    });
    after(() => server.close());

    for (const path of ['/mcp', '/mcp/docs']) {
      for (const [version, scenarios] of Object.entries(generalScenarios)) {
        it(`the scenarios of version ${version} pass at ${path}`, async () => {
          for (const scenario of scenarios) {
            const { code, output } = await run(server.listenUrl + path, [
              '--scenario',
              scenario,
              '--spec-version',
              version,
            ]);
            assert.equal(code, 0, `${scenario}: ${output.slice(-3000)}`);
            assert.doesNotMatch(output, /WARNING/, scenario);
          }
        });
      }

      it(`the sessionless checks that need no fixtures pass at ${path}`, async () => {
        const file = join(directory, 'server-stateless.json');
        const untestable = ['server-no-log-without-loglevel', 'http-server-no-independent-requests-on-stream'];
        writeFileSync(
          file,
          JSON.stringify({
            server: [
              ...missingFeatures.clientCapabilities,
              ...untestable.map((check) => `server-stateless:sep-2575-${check}`),
            ],
          }),
        );
        const words = ['--scenario', 'server-stateless', '--spec-version', '2026-07-28', '--expected-failures', file];
        const { code, output } = await run(server.listenUrl + path, words);
        assert.equal(code, 0, output.slice(-3000));
      });
    }
  });
});
