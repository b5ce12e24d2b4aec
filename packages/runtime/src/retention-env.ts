import type { Preferences, RetentionName } from '@draftshelf/domain/access/preferences';

export type RetentionEnv = {
  KEEP_ROWS_DAYS?: number | null | undefined;
  KEEP_FILES_DAYS?: number | null | undefined;
};

/** Returns the days that the environment sets, which override the preferences of the same names. */
export function retentionOf(env: RetentionEnv): Partial<Pick<Preferences, RetentionName>> {
  const { KEEP_ROWS_DAYS: rows, KEEP_FILES_DAYS: files } = env;
  return {
    ...(rows === undefined ? {} : { keepRowsDays: rows }),
    ...(files === undefined ? {} : { keepFilesDays: files }),
  };
}
