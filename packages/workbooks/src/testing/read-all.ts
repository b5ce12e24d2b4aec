import { joinBytes } from '@draftshelf/csv/joined';
import { toBlobSource } from '../byte-source.ts';
import type { ContainerLimits } from '../limits.ts';
import { type Container, openContainer, type TableNotices } from '../open-container.ts';

export const testLimits: ContainerLimits = {
  fileBytesMax: 50 * 2 ** 20,
  archiveBytesMax: 512 * 2 ** 20,
  columnsMax: 2000,
  cellBytesMax: 2 ** 20,
};

export const openBytes = (bytes: Uint8Array<ArrayBuffer>, limits = testLimits): Promise<Container> =>
  openContainer(toBlobSource(new Blob([bytes])), limits);

/** The text of a table. */
export async function textOf(
  container: Container,
  n: number,
  options?: { headBytes?: number },
): Promise<string> {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(
    joinBytes(await Array.fromAsync(container.read(n, options))),
  );
}

/** Returns the notices of a table that was read to its end. */
export async function noticesOf(container: Container, n: number): Promise<TableNotices> {
  const found: TableNotices[] = [];
  await Array.fromAsync(container.read(n, { onNotices: (notices) => found.push(notices) }));
  return found[0] as TableNotices;
}

/** The first table of a file. */
export async function firstText(bytes: Uint8Array<ArrayBuffer>, limits = testLimits): Promise<string> {
  const container = await openBytes(bytes, limits);
  return textOf(container, container.tables[0]?.n ?? -1);
}
