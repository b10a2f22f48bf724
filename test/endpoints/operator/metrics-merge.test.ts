/** The metrics of several workers as one text: counters and histograms add up, gauges stay apart. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { mergeMetrics } from '../../../src/endpoints/operator/metrics-merge.ts';

const first = `# HELP requests_total Requests answered.
# TYPE requests_total counter
requests_total{route="/a",status="200"} 3
requests_total{route="/b c",status="200"} 1

# HELP lag_seconds How late the loop is.
# TYPE lag_seconds gauge
lag_seconds 0.5
jobs{state="queued"} 2
# HELP took_seconds How long it took.
# TYPE took_seconds histogram
took_seconds_bucket{le="0.1"} 1
took_seconds_bucket{le="+Inf"} 2
took_seconds_sum 1.5
took_seconds_count 2
# HELP odd Numbers of their own.
# TYPE odd counter
odd{is="up"} +Inf
odd{is="down"} -Inf
odd{is="none"} NaN
`;
const second = `# HELP requests_total Requests answered.
# TYPE requests_total counter
requests_total{route="/a",status="200"} 4
requests_total{route="/d",status="404"} 1
# HELP lag_seconds How late the loop is.
# TYPE lag_seconds gauge
lag_seconds 0.25
jobs{state="queued"} 0
# HELP took_seconds How long it took.
# TYPE took_seconds histogram
took_seconds_bucket{le="0.1"} 0
took_seconds_bucket{le="+Inf"} 1
took_seconds_sum 2
took_seconds_count 1
`;

it('adds counters and histograms up, and keeps each worker’s gauges under its number', () => {
  const merged = mergeMetrics(
    new Map([
      [1, first],
      [2, second],
    ]),
  );
  assert.equal(
    merged,
    `# HELP requests_total Requests answered.
# TYPE requests_total counter
requests_total{route="/a",status="200"} 7
requests_total{route="/b c",status="200"} 1
requests_total{route="/d",status="404"} 1
# HELP lag_seconds How late the loop is.
# TYPE lag_seconds gauge
lag_seconds{worker="1"} 0.5
jobs{state="queued",worker="1"} 2
lag_seconds{worker="2"} 0.25
jobs{state="queued",worker="2"} 0
# HELP took_seconds How long it took.
# TYPE took_seconds histogram
took_seconds_bucket{le="0.1"} 1
took_seconds_bucket{le="+Inf"} 3
took_seconds_sum 3.5
took_seconds_count 3
# HELP odd Numbers of their own.
# TYPE odd counter
odd{is="up"} +Inf
odd{is="down"} -Inf
odd{is="none"} NaN
`,
  );
});

it('is nothing of no workers', () => assert.equal(mergeMetrics(new Map()), ''));
