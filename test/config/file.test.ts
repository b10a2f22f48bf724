/** Tests settings from the environment and from the file of COLOPHON_CONFIG: which has precedence, and which values are refused. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { ConfigError, readConfig } from '../../src/config/environment.ts';
import { settings } from '../../src/config/settings.ts';

/** Creates a folder with a settings file at the path `name` in it, and returns the folder, which is removed after the test. */
function createFolder(t: TestContext, text: string, name = 'colophon.yaml'): string {
  const directory = mkdtempSync(join(tmpdir(), 'colophon-config-'));
  t.after(() => rmSync(directory, { recursive: true }));
  mkdirSync(dirname(join(directory, name)), { recursive: true });
  writeFileSync(join(directory, name), text);
  return directory;
}

const listFaults = (run: () => unknown): readonly string[] => {
  try {
    run();
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.faults;
  }
  assert.fail('it was accepted');
};

const env = { COLOPHON_CONFIG: 'colophon.yaml' };

describe('COLOPHON_CONFIG: the settings file', () => {
  it('a variable in the environment overrides the file unless the variable is blank', (t) => {
    const directory = createFolder(t, 'port: 4000\nhost: 0.0.0.0\nadmin_port: off\nrate_limit_pages: "7"\n');
    const config = readConfig({ ...env, PORT: '5000', HOST: ' ' }, directory);
    assert.deepEqual([config.port, config.host, config.admin, config.limits.pages], [5000, '0.0.0.0', null, 7]);
  });

  it('a value may be a list, false for off, or empty for the default', (t) => {
    const directory = createFolder(t, 'trust_proxy: [10.0.0.0/8, "::1"]\nadmin_port: false\nlog_level:\n');
    const { trustProxy: trust, admin, logLevel } = readConfig(env, directory);
    assert.equal(trust.kind === 'ranges' && trust.ranges.length, 2);
    assert.deepEqual([admin, logLevel], [null, 'info']);
  });

  it('paths in the file are relative to its folder, and paths in the environment to the working folder', (t) => {
    const directory = createFolder(t, 'data_dir: state\ncontent_dir: /srv/app\n', 'etc/colophon.yaml');
    const config = readConfig({ COLOPHON_CONFIG: 'etc/colophon.yaml' }, directory);
    assert.deepEqual([config.dataDir, config.contentDir], [join(directory, 'etc/state'), '/srv/app']);
    const fromEnv = readConfig({ COLOPHON_CONFIG: 'etc/colophon.yaml', DATA_DIR: 'state' }, directory);
    assert.equal(fromEnv.dataDir, join(directory, 'state'));
  });

  it('all faults are reported at once, and those in the file have line and column', (t) => {
    const directory = createFolder(t, 'prot: 1\nbase_url: nowhere\nhost: { a: 1 }\nPORT: 2\nlog_level: loud\n');
    assert.deepEqual(
      listFaults(() => readConfig({ ...env, RATE_LIMIT_PAGE: '1' }, directory)),
      [
        'colophon.yaml:3:7: `host` must be text or a number, or a list of them: a map.',
        'colophon.yaml:1:1: `prot` is not a key here. Did you mean `port`?',
        'colophon.yaml:4:1: `PORT` is not a key here. Did you mean `port` or `admin_port`?',
        'RATE_LIMIT_PAGE is not a setting. Did you mean `RATE_LIMIT_PAGES`?',
        'colophon.yaml:2:1: BASE_URL must be an http or https origin such as https://api.example.com, without a path or a user name; it is "nowhere".',
        'colophon.yaml:5:1: LOG_LEVEL must be one of trace, debug, info, warn, error, silent; it is "loud".',
      ],
    );
  });

  for (const [defect, text, expected] of [
    ['is not YAML', 'port: [1\n', /colophon\.yaml:\d+:\d+: /],
    ['is a list', '- port\n', /must be a map, with/],
    ['sets a key twice', 'port: 1\nport: 2\n', /`port` is set twice/],
  ] as const) {
    it(`a file that ${defect} is refused`, (t) => {
      assert.match(listFaults(() => readConfig(env, createFolder(t, text))).join('\n'), expected);
    });
  }

  it('a SECRET_KEY that contains only digits is read as text', (t) => {
    const digits = '0123456789012345678901234567890123456789';
    assert.equal(readConfig(env, createFolder(t, `secret_key: ${digits}\n`)).secretKey, digits);
  });

  it('a missing file is refused, and the error has its name', () => {
    assert.match(
      listFaults(() => readConfig({ COLOPHON_CONFIG: 'none.yaml' }, tmpdir())).join(),
      /none\.yaml, which cannot be read/,
    );
  });
});

describe('HOST, PORT, BASE_URL, DATA_DIR, DATABASE_POOL_SIZE, LOG_LEVEL, SECRET_KEY, SECRET_KEY_FILE and the other settings', () => {
  it('each documented default is valid and equals the value without the setting', () => {
    const defaults = Object.fromEntries(
      settings.flatMap(({ name, defaultText }) => (defaultText === null ? [] : [[name, defaultText]])),
    );
    const simplifyAdmin = ({ admin, ...config }: ReturnType<typeof readConfig>) => ({
      ...config,
      admin: [admin?.host, admin?.port],
    });
    assert.deepEqual(simplifyAdmin(readConfig(defaults, '/srv')), simplifyAdmin(readConfig({}, '/srv')));
  });

  it('there are at most 34 settings, COLOPHON_CONFIG included', () => {
    assert.ok(settings.length + 1 <= 34);
  });

  it('HOST accepts an IPv6 address in brackets and rejects a port', () => {
    assert.equal(readConfig({ HOST: '[::1]' }, '/').host, '::1');
    assert.throws(() => readConfig({ HOST: '0.0.0.0:80' }, '/'), /^ConfigError: HOST must be .* without a port/);
  });

  it('all invalid values and conflicts are reported at once', () => {
    const env = {
      PORT: 'x',
      DATABASE_POOL_SIZE: '0',
      LOG_LEVEL: 'loud',
      WEB_CONCURRENCY: '2',
      SECRET_KEY: 'short',
      SECRET_KEY_FILE: 'key',
    };
    assert.deepEqual(
      listFaults(() => readConfig(env, '/')).map((fault) => fault.split(/[ ,]/, 1)[0]),
      ['PORT', 'DATABASE_POOL_SIZE', 'LOG_LEVEL', 'SECRET_KEY', 'SECRET_KEY', 'WEB_CONCURRENCY'],
    );
  });

  it('an invalid DATABASE_URL or BASE_URL causes no errors for settings that depend on it', () => {
    const env = {
      DATABASE_URL: 'mysql://a/b',
      WEB_CONCURRENCY: '2',
      BASE_URL: 'x',
      MCP_BASE_URL: 'https://mcp.example',
    };
    assert.deepEqual(
      listFaults(() => readConfig({ ...env, SECRET_KEY_FILE: 'key' }, '/')).map((fault) => fault.split(' ', 1)[0]),
      ['BASE_URL', 'DATABASE_URL'],
    );
  });
});
