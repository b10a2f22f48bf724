/** Recognizes the key that signs the example's feed, so that no other folder trusts it by accident. */

/** The example's public key, whose private half is published in examples/sotto-signing-key/. */
const exampleKey = '/Hk7dvpNgfKa+2Ii/RGn/kH2ZgWiOxmXu30R/Bb9gGc=';

/** Returns whether this public key (base64) is the example's. The server logs a warning if another content folder trusts it. */
export const isExampleKey = (publicKey: string): boolean => publicKey === exampleKey;
