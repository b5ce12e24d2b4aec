const dayMs = 86_400_000;

/** Counts the variants that are created per UTC day. */
export type DailyVariants = {
  /** Counts `variants` more, or returns false and counts nothing if that would exceed `max`; null: unlimited. */
  take(variants: number, nowMs: number, max: number | null): boolean;
};

export function createDailyVariants(): DailyVariants {
  let day = -1;
  let created = 0;
  return {
    take(variants, nowMs, max) {
      const today = Math.floor(nowMs / dayMs);
      if (today !== day) created = 0;
      day = today;
      if (variants > 0 && max !== null && created + variants > max) return false;
      created += variants;
      return true;
    },
  };
}
