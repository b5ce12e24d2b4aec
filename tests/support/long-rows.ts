/** Rows of about 4 KB: the file becomes large without slowing down the database. */
export const longRowsHeader = 'Title,Price,SKU,Description\n';

const description = 'A vase, blown by hand, with a "note" inside. '.repeat(90).replaceAll('"', '""');

export function longRow(row: number): string {
  return `Vase ${row},${row % 90}.50,V-${row},"${description}${row}"\n`;
}
