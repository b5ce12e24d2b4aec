const countFormat = new Intl.NumberFormat('en-US');

/** A number in a sentence of the server: '2,000'. */
export const grouped = (count: number): string => countFormat.format(count);
