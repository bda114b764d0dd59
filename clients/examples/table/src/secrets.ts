/** Random names and secrets. A secret is kept as its hash alone: whoever reads the database cannot take a seat. */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** A public name of a match: 12 characters that go into an address. */
export function newId(): string {
  return randomBytes(9).toString("base64url");
}

/** A secret that holds a seat: 32 characters, 192 random bits, so that a plain hash of it cannot be guessed back. */
export function newSecret(): string {
  return randomBytes(24).toString("base64url");
}

export function hashed(secret: string): Uint8Array {
  return createHash("sha256").update(secret).digest();
}

/** Whether a hash is that of the secret, in a time that tells nothing. */
export function matches(secret: string, hash: Uint8Array | null): boolean {
  return hash !== null && timingSafeEqual(hashed(secret), hash);
}

/** A seed for Shinpan's random numbers: 64 bits. */
export function newSeed(): bigint {
  return randomBytes(8).readBigUInt64LE();
}
