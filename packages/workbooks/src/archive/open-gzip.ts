import { type ByteSource, sliceSource } from '../byte-source.ts';
import type { Container } from '../container.ts';
import { ContainerError, tooLargeError } from '../container-error.ts';
import {
  type ContainerLimits,
  countUnpackedBytes,
  type InflateBudget,
  refuseLargeFile,
  refuseZipBomb,
  toTableBytesMax,
} from '../limits.ts';
import { limitToHead } from '../table-reading.ts';
import { inflate } from '../zip/entry.ts';

/** Opens a file of one or more gzip members. Throws ContainerError for a TAR archive. */
export async function openGzip(
  source: ByteSource,
  limits: ContainerLimits,
  budget: InflateBudget,
): Promise<Container> {
  await refuseTar(source, budget);
  return {
    kind: 'gzip',
    tables: [{ n: 0, name: '', kind: 'file', hidden: false, active: false, rows: null }],
    pictures: async () => ({ pictures: [], isCut: false }),
    read: (_n, options) => limitToHead(unpacked(source, limits, budget), options),
  };
}

async function* unpacked(source: ByteSource, limits: ContainerLimits, budget: InflateBudget) {
  let bytes = 0;
  for await (const member of membersOf(source, budget)) {
    for await (const chunk of unpackedMember(member, budget)) {
      bytes += chunk.length;
      refuseZipBomb(source.bytes, bytes);
      refuseLargeFile(bytes, toTableBytesMax(limits));
      yield chunk;
    }
  }
}

async function* unpackedMember(member: ByteSource, budget: InflateBudget): AsyncGenerator<Uint8Array> {
  for await (const chunk of inflate(member.stream(0, member.bytes), 'gzip')) {
    countUnpackedBytes(budget, chunk.length);
    yield chunk;
  }
}

/** Splits at each offset where a member may begin, because DecompressionStream does not report where a member ends. */
async function* membersOf(source: ByteSource, budget: InflateBudget): AsyncGenerator<ByteSource> {
  let [from, mistaken] = [0, 0];
  for (const to of await memberStarts(source)) {
    const member = sliceSource(source, from, to - from);
    if (!(await isComplete(member, budget))) {
      mistaken += 1;
      if (mistaken > mistakenMax) throw tooManyMembers();
      continue;
    }
    yield member;
    from = to;
  }
  yield sliceSource(source, from, source.bytes - from);
}

/** Maximum number of false member starts. In compressed data, one offset in 128 MB looks like a member's start. */
const mistakenMax = 64;

/** A file may have 1024 members plus one per 4 kB. Programs that pack in blocks write at least 16 kB per member. */
const [membersMin, memberBytesMin] = [1024, 4096];
const tooManyMembers = () =>
  tooLargeError('This file is packed in too many parts to read. Unpack it and upload the list in it.');

async function isComplete(member: ByteSource, budget: InflateBudget): Promise<boolean> {
  let bytes = 0;
  try {
    for await (const chunk of unpackedMember(member, budget)) {
      bytes += chunk.length;
      refuseZipBomb(member.bytes, bytes);
    }
    return true;
  } catch (error) {
    if (error instanceof ContainerError && error.code === 'workbook_damaged') return false;
    throw error;
  }
}

async function memberStarts(source: ByteSource): Promise<number[]> {
  const starts: number[] = [];
  const membersMax = membersMin + source.bytes / memberBytesMin;
  let [at, header] = [0, 0];
  for await (const chunk of source.stream(0, source.bytes)) {
    for (const byte of chunk) {
      header = (header << 8) | byte;
      at += 1;
      // Magic number, method deflate, and no reserved flag.
      if ((header & 0xffffffe0) === 0x1f8b0800 && at > 4) starts.push(at - 4);
    }
    if (starts.length > membersMax) throw tooManyMembers();
  }
  return starts;
}

const tarMark = 'ustar';
const tarMarkAt = 257;

async function refuseTar(source: ByteSource, budget: InflateBudget): Promise<void> {
  for await (const chunk of unpackedMember(source, budget)) {
    const mark = new TextDecoder('latin1').decode(chunk.subarray(tarMarkAt, tarMarkAt + tarMark.length));
    if (mark !== tarMark) return;
    throw new ContainerError(
      'other_format',
      'This is a TAR archive. Unpack it and upload the list in it, or pack the list as ZIP.',
    );
  }
}
