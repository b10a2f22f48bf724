/** The parts of the path of a GET, in the order in which the benchmark switches them on. */
export const partNames: readonly string[] = [
  'node:http',
  'listener',
  'request ids',
  'gate and admission',
  'rate limits',
  'fast path',
  'response batch',
  'access log',
  'metrics',
];
