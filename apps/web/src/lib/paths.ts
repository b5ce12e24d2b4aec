/** The path of one import's page. */
export function importPath(id: string): string {
  return `/queue/${encodeURIComponent(id)}`;
}

/** The path of an import's rows that need the operator. */
export function needsYouPath(id: string): string {
  return `${importPath(id)}?class=needs-you`;
}

/** The path of an import's rows with an issue. */
export function issueRowsPath(id: string, issue: string): string {
  return `${importPath(id)}?issue=${encodeURIComponent(issue)}`;
}

/** The path of the rows of an import's products that the last push did something with. */
export function outcomeRowsPath(id: string, outcome: string): string {
  return `${importPath(id)}?outcome=${encodeURIComponent(outcome)}`;
}

/** The path of an import's rows by how they differ from the supplier's earlier list, or 'carried'. */
export function changeRowsPath(id: string, change: string): string {
  return `${importPath(id)}?change=${encodeURIComponent(change)}`;
}

/** The path of the queue's imports with a status. */
export function queueStatusPath(status: string): string {
  return `${queuePath}?status=${encodeURIComponent(status)}`;
}

/** The path of a product of the scanner's library. */
export function scannedPath(id: string): string {
  return `/scanner?product=${encodeURIComponent(id)}`;
}

/** The search parameter of an import's page that opens the undo of its push. */
export const undoParam = 'undo';

/** The search parameter of an import's page that names the source whose proposals are shown. */
export const shownSourceParam = 'proposals';

/** The path of an import's proposals of a source. */
export function sourceProposalsPath(id: string, source: string): string {
  return `${importPath(id)}?${shownSourceParam}=${encodeURIComponent(source)}`;
}

/** The path of the undo of an import's push. */
export function undoPath(id: string): string {
  return `${importPath(id)}?${undoParam}=push`;
}

export const suppliersPath = '/suppliers';

/** The path of a supplier's page. */
export function supplierPath(id: number): string {
  return `${suppliersPath}/${id}`;
}

/** The search parameter of an import's page that opens its corrections: a file of them, or 'new'. */
export const correctionsParam = 'corrections';

/** The path of a file with corrections of an import. */
export function correctionsPath(importId: string, corrections: string): string {
  return `${importPath(importId)}?${correctionsParam}=${encodeURIComponent(corrections)}`;
}

export const connectionsPath = '/settings?tab=connections';
export const oneDrivePath = '/settings?tab=onedrive';
export const storePath = '/shopify';
export const queuePath = '/queue';
export const historyPath = '/history';

/** The path of the imports that ended on the day of `time` in the browser's time zone. */
export function historyDayPath(time: number): string {
  const day = new Date(time);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${historyPath}?date=${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}
