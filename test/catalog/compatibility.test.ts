/** Tests the rules of compatibility for versions of macOS, processors and other systems. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { ApiError } from '../../src/base/api-error.ts';
import { findMacosName, interpretMacos, parseMacosName, parseOsVersion } from '../../src/base/os-version.ts';
import { compareNumbers } from '../../src/base/semver.ts';
import { checkCompatibility } from '../../src/catalog/compatibility.ts';
import type { SystemRequirements } from '../../src/catalog/requirements.ts';

const minimums: SystemRequirements = {
  os: 'macOS',
  byArch: new Map(),
  current: null,
  osVersion: '14.0',
  archs: ['arm64', 'x86_64'],
  testedUpTo: '26',
  maximumOsVersion: null,
};
const armOnly: SystemRequirements = { ...minimums, archs: ['arm64'] };
const oldMinimums: SystemRequirements = { ...minimums, osVersion: '10.9' };
const rosetta = 'A program that runs under Rosetta sees x86_64: on Apple silicon send arm64.';

const check = (osVersion: string, arch: 'arm64' | 'x86_64' = 'arm64', requirements = minimums) =>
  checkCompatibility({ os: null, osVersion, arch }, [requirements], 'Lamp');

function getRefusal(osVersion: string, requirements = minimums): ApiError {
  try {
    check(osVersion, 'arm64', requirements);
  } catch (error) {
    if (error instanceof ApiError) return error;
  }
  return assert.fail(`${osVersion} was not refused`);
}

describe('GET /compatibility: the rules for macOS versions and processors', () => {
  it('versions are compared numerically, part by part', () => {
    for (const version of [
      '14',
      '14.0',
      '14.0.0',
      ' 14.5 ',
      '014.5',
      '14.10',
      '15.6.1',
      '26',
      '26.0.1',
      '27.3',
      '99',
    ]) {
      assert.equal(check(version).compatible, true, version);
      assert.deepEqual(check(version).reasons, []);
    }
    for (const version of ['13', '13.9.9', '13.10', '10.15.7', '9', '0', '1.4']) {
      assert.equal(check(version).compatible, false, version);
    }
    const minorMinimums: SystemRequirements = { ...minimums, osVersion: '14.10' };
    assert.equal(check('14.9', 'arm64', minorMinimums).compatible, false);
    assert.equal(check('14.10.0', 'arm64', minorMinimums).compatible, true);
    assert.equal(check('10.9', 'x86_64', oldMinimums).compatible, true);
    assert.equal(check('10.8', 'x86_64', oldMinimums).compatible, false);
  });

  it('an incompatible version is reported with a sentence and a code', () => {
    assert.deepEqual(check('13.2'), {
      compatible: false,
      reasons: ['macOS 13.2 (Ventura) is older than the required macOS 14.0 (Sonoma).'],
      minimum: { osVersion: '14.0', arch: 'x86_64' },
      checks: [{ code: 'os_too_old', required: '14.0', given: '13.2' }],
      interpretedAs: null,
      untested: false,
      emulated: false,
    });
  });

  it('the response lists every reason, in a fixed order', () => {
    const narrowRequirements: SystemRequirements = { ...armOnly, maximumOsVersion: '12.9' };
    const { reasons, checks } = check('13.2', 'x86_64', narrowRequirements);
    assert.deepEqual(reasons, [
      'macOS 13.2 (Ventura) is older than the required macOS 14.0 (Sonoma).',
      'macOS 13.2 (Ventura) is newer than macOS 12.9 (Monterey), the newest that runs it.',
      `It does not run on Intel (x86_64); the required processor is Apple silicon (arm64). ${rosetta}`,
    ]);
    assert.deepEqual(checks, [
      { code: 'os_too_old', required: '14.0', given: '13.2' },
      { code: 'os_too_new', required: '12.9', given: '13.2' },
      { code: 'arch_unsupported', required: 'arm64', given: 'x86_64' },
    ]);
  });

  it('the minimum processor is arm64 if only arm64 is listed, and otherwise x86_64', () => {
    assert.equal(check('14').minimum.arch, 'x86_64');
    assert.equal(check('14', 'arm64', armOnly).minimum.arch, 'arm64');
    assert.equal(check('14', 'x86_64', { ...minimums, archs: ['x86_64'] }).minimum.arch, 'x86_64');
  });

  it('a processor that the vendor does not list is incompatible', () => {
    assert.equal(check('14', 'x86_64').compatible, true);
    assert.equal(check('14', 'x86_64', armOnly).compatible, false);
    assert.deepEqual(check('14', 'arm64', { ...minimums, archs: ['x86_64'] }).reasons, [
      'It does not run on Apple silicon (arm64); the required processor is Intel (x86_64).',
    ]);
  });

  it('macOS 27 is incompatible with x86_64, whatever the vendor lists', () => {
    assert.equal(check('26.9', 'x86_64').compatible, true);
    assert.equal(check('27', 'arm64').compatible, true);
    for (const requirements of [minimums, armOnly, { ...minimums, archs: ['x86_64'] } satisfies SystemRequirements]) {
      const { compatible, reasons, checks } = check('27.0', 'x86_64', requirements);
      assert.equal(compatible, false);
      assert.deepEqual(reasons, [`macOS 27.0 (Golden Gate) runs only on Apple silicon (arm64). ${rosetta}`]);
      assert.deepEqual(checks, [{ code: 'arch_unsupported', required: 'arm64', given: 'x86_64' }]);
    }
  });

  it('a macOS before 11 is incompatible with arm64', () => {
    assert.deepEqual(check('10.15', 'arm64', oldMinimums).reasons, [
      'macOS 10.15 (Catalina) does not run on Apple silicon (arm64), which begins with macOS 11.0 (Big Sur).',
    ]);
    assert.equal(check('10.15', 'arm64').checks.length, 1);
    assert.equal(check('11', 'arm64', oldMinimums).compatible, true);
  });

  it('16.x is interpreted as 26.x and 10.16 as 11, and interpretedAs has that version', () => {
    assert.equal(check('16.1.2').interpretedAs, '26.1.2');
    assert.equal(check('16').interpretedAs, '26');
    assert.equal(check('16.1').compatible, true);
    assert.equal(check('10.16', 'arm64', oldMinimums).interpretedAs, '11.0');
    assert.equal(check('10.16.4', 'arm64', oldMinimums).compatible, true);
    assert.match(check('10.16').reasons[0] ?? '', /^macOS 11\.0 \(Big Sur\) is older/);
    assert.equal(check('26.1').interpretedAs, null);
  });

  it('a version of macOS that never existed is rejected as unprocessable', () => {
    for (const version of ['17', '18.5', '19', '20.1', '21', '22.0.0', '23.6', '24', '25.9']) {
      const error = getRefusal(version);
      assert.equal(error.code, 'unprocessable');
      assert.equal(error.options.errors, undefined);
      const [major] = version.split('.');
      assert.ok(error.message.startsWith(`There is no macOS ${major}; macOS 15 is followed by 26.`), error.message);
    }
    for (const version of ['10.17', '10.20.1', '10.999']) {
      assert.equal(getRefusal(version).code, 'unprocessable');
      assert.match(getRefusal(version).message, /^There is no macOS 10\.\d+; macOS 10\.15 is followed by 11\.$/);
    }
    for (const version of ['10.15', '11', '15.9', '16', '26', '28']) check(version);
  });

  it('a product for macOS only is incompatible with every other system, whatever its version', () => {
    const rows: [text: string, system: string][] = [
      ['Windows', 'Windows'],
      ['Windows 11', 'Windows'],
      ['windows 10 22H2', 'Windows'],
      ['win11', 'Windows'],
      ['Win 10 Pro', 'Windows'],
      ['Linux', 'Linux'],
      ['Ubuntu 24.04', 'Linux'],
      ['linux-6.8', 'Linux'],
      ['iOS 18', 'iOS'],
      ['iPhone', 'iOS'],
      ['iPadOS 26.1', 'iPadOS'],
      ['Android', 'Android'],
      ['ChromeOS', 'ChromeOS'],
    ];
    for (const [text, system] of rows) {
      assert.deepEqual(check(text), {
        compatible: false,
        reasons: ['Lamp runs on macOS only.'],
        minimum: { osVersion: '14.0', arch: 'x86_64' },
        checks: [{ code: 'os_unsupported', required: 'macOS', given: system }],
        interpretedAs: null,
        untested: false,
        emulated: false,
      });
    }
  });

  it('untested is true for a version above testedUpTo, at the precision of testedUpTo', () => {
    const rows: [tested: string | null, version: string, untested: boolean][] = [
      ['26', '26.4', false],
      ['26', '27', true],
      ['26.1', '26.1.9', false],
      ['26.1', '26.2', true],
      ['26.1', '15', false],
      ['26', '16.3', false],
      ['15', '16', true],
      [null, '99', false],
    ];
    for (const [testedUpTo, version, untested] of rows) {
      assert.equal(check(version, 'arm64', { ...minimums, testedUpTo }).untested, untested, `${testedUpTo} ${version}`);
    }
  });

  it('a malformed version is rejected, with a suggestion if the intended version is clear', () => {
    const rows: [version: string, suggestion: string | null][] = [
      ['', null],
      [' ', null],
      ['Sonoma', '14.0'],
      ['macOS big sur', '11.0'],
      ['Mac OS X Snow Leopard', '10.6'],
      ['golden gate', '27.0'],
      ['macOS Sonoma 14.5', '14.5'],
      ['macos-14', '14'],
      ['v14', '14'],
      ['14.', '14'],
      ['.14', null],
      ['14.x', '14'],
      ['14.5 (23F79)', '14.5'],
      ['14.5.1.2', '14.5.1'],
      ['14,5', '14'],
      ['23F79', null],
      ['Darwin 23.5', null],
      ['1400', null],
      ['14.5000', '14'],
      ['-14', '14'],
      ['1e1', null],
      ['１４', null],
      ['١٤', null],
      ['14\0', '14'],
      ['latest', null],
      ['macOS 14', '14'],
      ['macOS14', '14'],
      ['macOS version 10.15.7', '10.15.7'],
      ['Catalina 10.15.7', '10.15.7'],
      ['11 Pro', null],
      ['macOS 14 with Windows', null],
      ['14 or Linux on a Mac', null],
      ['Amiga 4', null],
      ['PlayStation 5', null],
      ['Darwin 14', null],
    ];
    for (const [version, suggestion] of rows) {
      const error = getRefusal(version);
      assert.equal(error.code, 'invalid_request', version);
      const [field] = error.options.errors ?? [];
      assert.deepEqual([field?.field, field?.code], ['os_version', 'malformed']);
      assert.deepEqual(error.options.suggestions, suggestion === null ? undefined : [suggestion], version);
      assert.match(field?.detail ?? '', suggestion === null ? /such as 14\.0/ : new RegExp(`Use ${suggestion}\\.$`));
    }
  });

  it('any string is either checked or rejected with a short ApiError', () => {
    const version = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.array(fc.nat(300), { maxLength: 4 }).map((parts) => parts.join('.')),
    );
    fc.assert(
      fc.property(version, fc.constantFrom('arm64' as const, 'x86_64' as const), (text, arch) => {
        try {
          const { compatible, reasons, checks } = check(text, arch);
          assert.equal(compatible, reasons.length === 0);
          assert.equal(reasons.length, checks.length);
        } catch (error) {
          assert.ok(error instanceof ApiError);
          assert.ok(error.message.isWellFormed() && error.message.length < 200);
        }
      }),
    );
  });
});

describe('parseOsVersion, compareNumbers, findMacosName, parseMacosName and interpretMacos', () => {
  it('parseOsVersion returns the numbers of a version, and null for malformed text', () => {
    assert.deepEqual(parseOsVersion(' 14.5.1 '), [14, 5, 1]);
    for (const text of ['', '14.', '14.5.1.2', 'v14', '1400', '14 .5', '١٤']) assert.equal(parseOsVersion(text), null);
  });

  it('compareNumbers compares part by part, and treats a missing part as 0', () => {
    const part = fc.nat(30);
    const version = fc.tuple(part, part, part);
    fc.assert(
      fc.property(version, version, (a, b) => {
        const numeric = (parts: readonly number[]) => parts.reduce((sum, value) => sum * 1000 + value, 0);
        assert.equal(Math.sign(compareNumbers(a, b)), Math.sign(numeric(a) - numeric(b)));
        assert.equal(compareNumbers([a[0]], [a[0], 0, 0]), 0);
      }),
    );
  });

  it('findMacosName and parseMacosName map versions to names and back; interpretMacos maps 16 to 26', () => {
    assert.equal(findMacosName([14, 5]), 'Sonoma');
    assert.equal(findMacosName([10, 15, 7]), 'Catalina');
    assert.equal(findMacosName([26]), 'Tahoe');
    assert.equal(findMacosName([28]), null);
    assert.equal(findMacosName([10, 16]), null);
    assert.deepEqual(parseMacosName(' TAHOE '), [26, 0]);
    assert.equal(parseMacosName('Sun Valley'), null);
    assert.deepEqual(interpretMacos([16, 2]), [26, 2]);
    assert.equal(interpretMacos([17]), null);
  });
});
