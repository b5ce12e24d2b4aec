/** The hidden columns of a sheet that have content. */
export class HiddenColumns {
  private readonly ranges: [first: number, last: number][] = [];
  private readonly found = new Set<number>();

  get count(): number {
    return this.found.size;
  }

  add(first: number, last: number): void {
    this.ranges.push([first, last]);
  }

  /** Notes that a column has content. */
  note(column: number): void {
    for (const [first, last] of this.ranges) if (column >= first && column <= last) this.found.add(column);
  }
}
