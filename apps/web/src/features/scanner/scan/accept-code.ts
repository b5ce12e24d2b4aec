import type { ReadCode } from './reader-options.ts';

/** Codes that the last frames of a camera had. */
export type Sightings = {
  /** The code of the latest frames that had one, and how many frames in a row agree. */
  latest: { code: ReadCode; frames: number } | null;
  /** When each code that counted was last in sight. */
  seenAtMs: ReadonlyMap<string, number>;
};

export const nothingSeen: Sightings = { latest: null, seenAtMs: new Map() };

/** A code counts again once it has been out of sight for this time. */
const awayMs = 1_000;

/** Frames that must agree: product numbers have a check digit that readers verify, others are longer and rarer. */
const framesOf = ({ format }: ReadCode) =>
  format === 'Code128' || format === 'QRCode' || format === 'DataMatrix' ? 3 : 2;

/**
 * Notes the code of a frame, or that it had none, and says whether the code counts now. Frames without a code are
 * common when a hand moves, so they do not break a row of frames that agree; another code does.
 */
export function seeFrame(
  sightings: Sightings,
  code: ReadCode | null,
  nowMs: number,
): { sightings: Sightings; counts: boolean } {
  if (code === null) return { sightings, counts: false };
  const { latest, seenAtMs } = sightings;
  const isSame = latest !== null && latest.code.text === code.text && latest.code.format === code.format;
  const frames = isSame ? latest.frames + 1 : 1;
  const seenAt = seenAtMs.get(code.text);
  const isInSight = seenAt !== undefined && nowMs - seenAt < awayMs;
  const isAgreed = frames >= framesOf(code);
  const counts = isAgreed && !isInSight;
  const seen = counts || isInSight ? new Map(seenAtMs).set(code.text, nowMs) : seenAtMs;
  return { sightings: { latest: { code, frames }, seenAtMs: seen }, counts };
}
