/** The version in package.json, for the User-Agent. */
export declare const version = "0.1.0";
