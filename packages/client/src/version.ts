/** The version in package.json, for the User-Agent. */
export const version = '0.1.0';
