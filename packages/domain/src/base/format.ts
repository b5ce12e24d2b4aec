const byteUnits = ['B', 'KB', 'MB', 'GB'] as const;

/** Formats a number of bytes as '1.5 KB': base 1024, at most two decimals, B to GB. */
export function formatFileSize(bytes: number): string {
  let size = Math.max(0, bytes);
  let unit = 0;
  // 1,023.999 KB would round to 1,024 KB, so it is shown as 1 MB.
  while (unit < byteUnits.length - 1 && Math.round(size * 100) / 100 >= 1024) {
    size /= 1024;
    unit += 1;
  }
  return `${Math.round(size * 100) / 100} ${byteUnits[unit]}`;
}

/** Formats milliseconds as '2m 5s', with the seconds rounded down. */
export function describeDuration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return `${Math.floor(seconds / 60)}m ${seconds % 60}s`;
}

const countFormat = new Intl.NumberFormat('en-US');
/** Formats a count as '1,234'. */
export const formatCount = (count: number): string => countFormat.format(count);

/** Formats a count with its noun: '1 row', '2 rows'. */
export const countOf = (count: number, one: string, many = `${one}s`): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`;
