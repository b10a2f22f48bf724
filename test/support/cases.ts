/** Returns how many random cases a property runs: all of `fullCount` with TEST_CASES=all, otherwise a fifth to keep `npm test` short. */
export const scaleCaseCount = (fullCount: number): number =>
  process.env.TEST_CASES === 'all' ? fullCount : Math.ceil(fullCount / 5);
