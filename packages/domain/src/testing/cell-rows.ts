/** The rows of a table, each with a bar between its cells. */
export const cellRows = (...rows: readonly string[]): string[][] => rows.map((row) => row.split('|'));
