export function importPath(id: string): string {
  return `/queue/${encodeURIComponent(id)}`;
}

export function needsYouPath(id: string): string {
  return `${importPath(id)}?class=needs-you`;
}

export function issueRowsPath(id: string, issue: string): string {
  return `${importPath(id)}?issue=${encodeURIComponent(issue)}`;
}

/** Rows of products with an outcome of the last push. */
export function outcomeRowsPath(id: string, outcome: string): string {
  return `${importPath(id)}?outcome=${encodeURIComponent(outcome)}`;
}

/** `change`: a difference from the supplier's earlier list, or 'carried'. */
export function changeRowsPath(id: string, change: string): string {
  return `${importPath(id)}?change=${encodeURIComponent(change)}`;
}

export function queueStatusPath(status: string): string {
  return `${queuePath}?status=${encodeURIComponent(status)}`;
}

export function scannedPath(id: string): string {
  return `/scanner?product=${encodeURIComponent(id)}`;
}

/** Opens the undo of an import's push. */
export const undoParam = 'undo';

/** Names the source whose proposals an import's page shows. */
export const shownSourceParam = 'proposals';

export function sourceProposalsPath(id: string, source: string): string {
  return `${importPath(id)}?${shownSourceParam}=${encodeURIComponent(source)}`;
}

export function undoPath(id: string): string {
  return `${importPath(id)}?${undoParam}=push`;
}

export const suppliersPath = '/suppliers';

export function supplierPath(id: number): string {
  return `${suppliersPath}/${id}`;
}

/** Opens a file of an import's corrections, or 'new'. */
export const correctionsParam = 'corrections';

export function correctionsPath(importId: string, corrections: string): string {
  return `${importPath(importId)}?${correctionsParam}=${encodeURIComponent(corrections)}`;
}

export const connectionsPath = '/settings?tab=connections';
export const oneDrivePath = '/settings?tab=onedrive';
export const storePath = '/shopify';
export const queuePath = '/queue';
export const historyPath = '/history';

/** Imports that ended on the day of `time` in the browser's time zone. */
export function historyDayPath(time: number): string {
  const day = new Date(time);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${historyPath}?date=${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}

/** A second click may come before a screen has drawn the first one's parameters: make the next ones from these. */
export const addressNow = (): URLSearchParams => new URLSearchParams(location.search);
