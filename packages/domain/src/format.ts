const byteUnits = ['B', 'KB', 'MB', 'GB'] as const;

/** A file size as '1.5 KB' (decision D25): base 1024, at most two decimals, B to GB. */
export function fileSize(bytes: number): string {
  let size = Math.max(0, bytes);
  let unit = 0;
  // 1,023.999 KB would round to 1,024 KB: it is shown as 1 MB.
  while (unit < byteUnits.length - 1 && Math.round(size * 100) / 100 >= 1024) {
    size /= 1024;
    unit += 1;
  }
  return `${Math.round(size * 100) / 100} ${byteUnits[unit]}`;
}

/** A duration in minutes and seconds as '2m 5s' (S132, decision D25). */
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return `${Math.floor(seconds / 60)}m ${seconds % 60}s`;
}
