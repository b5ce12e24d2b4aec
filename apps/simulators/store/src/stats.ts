/** Counts of the requests since the start. */
export type Stats = {
  requests: Record<string, number>;
  /** The points charged, by operation. */
  points: Record<string, number>;
  throttled: number;
  dropped: number;
  refused: number;
  tokensGranted: number;
};

export function emptyStats(): Stats {
  return { requests: {}, points: {}, throttled: 0, dropped: 0, refused: 0, tokensGranted: 0 };
}
