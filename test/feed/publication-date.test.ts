/** Tests parsePublicationDate with every supported form, every time zone, and texts that are not dates. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { parsePublicationDate } from '../../src/feed/publication-date.ts';

const dates: Record<string, string> = {
  'Tue, 27 Oct 2026 09:00:00 +0000': '2026-10-27T09:00:00Z',
  'Fri, 27 Oct 2026 09:00:00 +0000': '2026-10-27T09:00:00Z',
  '27 Oct 2026 09:00:00 GMT': '2026-10-27T09:00:00Z',
  '  7 October 2026 9:05 Z ': '2026-10-07T09:05:00Z',
  'Di., 27 Oct. 2026 09:00:00.250 +0130': '2026-10-27T07:30:00Z',
  'Tue, 27 Oct 2026 09:00:00': '2026-10-27T09:00:00Z',
  '2026-10-27': '2026-10-27T00:00:00Z',
  '2026-10-27T23:59:60Z': '2026-10-28T00:00:00Z',
  '2026-10-27 09:00': '2026-10-27T09:00:00Z',
  '2026-10-27T09:00:00-05:30': '2026-10-27T14:30:00Z',
  '2026-10-27T09:00:00+14:00': '2026-10-26T19:00:00Z',
  '2024-02-29T00:59:59Z': '2024-02-29T00:59:59Z',
};

for (const [text, expected] of Object.entries(dates)) {
  it(`parsePublicationDate reads ${text}`, () => assert.equal(parsePublicationDate(text), expected));
}

it('parsePublicationDate reads the English abbreviation of each month', () => {
  const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
  assert.deepEqual(
    months.map((month) => parsePublicationDate(`1 ${month} 2026 12:00 UT`)),
    months.map((_, index) => `2026-${String(index + 1).padStart(2, '0')}-01T12:00:00Z`),
  );
});

it('parsePublicationDate reads the time zones of RFC 822', () => {
  const hours = { z: 0, ut: 0, UTC: 0, GMT: 0, EST: 5, EDT: 4, CST: 6, CDT: 5, MST: 7, MDT: 6, PST: 8, PDT: 7 };
  assert.deepEqual(
    Object.keys(hours).map((zone) => parsePublicationDate(`1 Jan 2026 12:00:00 ${zone}`)),
    Object.values(hours).map((hour) => `2026-01-01T${12 + hour}:00:00Z`),
  );
});

for (const text of [
  '',
  'today',
  '27 Okt 2026 09:00:00 GMT',
  '31 Feb 2026 09:00:00 GMT',
  '29 Feb 2026 09:00:00 GMT',
  '0 Jan 2026 09:00:00 GMT',
  '1 Jan 2026 24:00:00 GMT',
  '1 Jan 2026 23:60:00 GMT',
  '1 Jan 2026 23:00:61 GMT',
  '1 Jan 2026 09:00:00 CET',
  '1 Jan 2026 09:00:00 +1401',
  '1 Jan 26 09:00:00 GMT',
  '2026-13-01',
  '2026-00-01',
  '2026-1-1',
  'on 2026-10-27',
  '2026-10-27 or so',
  '27 Oct 2026 09:00:00 GMT or so',
]) {
  it(`parsePublicationDate returns null for ${text || 'an empty string'}`, () =>
    assert.equal(parsePublicationDate(text), null));
}
