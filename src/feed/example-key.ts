/** Recognizes the key that signs the example's feed, so that no other folder trusts it by accident. */

/** Its private half is public: examples/sotto-signing-key/. */
const exampleKey = '/Hk7dvpNgfKa+2Ii/RGn/kH2ZgWiOxmXu30R/Bb9gGc=';

/** Returns whether this public key (base64) is the example's. Only the example's own content folder may trust it. */
export const isExampleKey = (publicKey: string): boolean => publicKey === exampleKey;
