/** Returns how many random cases a property is tried with: a fifth of `all`, rounded up, in `npm test`, and all with TEST_CASES=all. */
export const cases = (all: number): number => (process.env.TEST_CASES === 'all' ? all : Math.ceil(all / 5));
