export const importPath = (id: string): string => `/queue/${encodeURIComponent(id)}`;

export const needsYouPath = (id: string): string => `${importPath(id)}?class=needs-you`;

export const issueRowsPath = (id: string, issue: string): string =>
  `${importPath(id)}?issue=${encodeURIComponent(issue)}`;

/** Rows of products with an outcome of the last push. */
export const outcomeRowsPath = (id: string, outcome: string): string =>
  `${importPath(id)}?outcome=${encodeURIComponent(outcome)}`;

/** `change`: a difference from the supplier's earlier list, or 'carried'. */
export const changeRowsPath = (id: string, change: string): string =>
  `${importPath(id)}?change=${encodeURIComponent(change)}`;

/** `value`: as `fieldValueText` writes it. */
export const valueRowsPath = (id: string, value: string): string =>
  `${importPath(id)}?value=${encodeURIComponent(value)}`;

/** In place of a status: processed, but nothing is pushed before an answer. */
export const askingStatus = 'asking';

/** The status that the queue is filtered by. */
export const filteredStatus = (status: string, isAsking: boolean): string =>
  status === 'processed' && isAsking ? askingStatus : status;

export const queueStatusPath = (status: string): string =>
  `${queuePath}?status=${encodeURIComponent(status)}`;

export const scannedPath = (id: string): string => `/scanner?product=${encodeURIComponent(id)}`;

/** Opens the undo of an import's push. */
export const undoParam = 'undo';

/** Opens a section of an import's details. */
export const detailsParam = 'details';

/** Names the source whose proposals an import's page shows. */
export const shownSourceParam = 'proposals';

export const sourceProposalsPath = (id: string, source: string): string =>
  `${importPath(id)}?${detailsParam}=proposals&${shownSourceParam}=${encodeURIComponent(source)}`;

export const undoPath = (id: string): string => `${importPath(id)}?${undoParam}=push`;

export const suppliersPath = '/suppliers';

export const supplierPath = (id: number): string => `${suppliersPath}/${id}`;

/** Opens a file of an import's corrections, or 'new'. */
export const correctionsParam = 'corrections';

export const correctionsPath = (importId: string, corrections: string): string =>
  `${importPath(importId)}?${correctionsParam}=${encodeURIComponent(corrections)}`;

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
