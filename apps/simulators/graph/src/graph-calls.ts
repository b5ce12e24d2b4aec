import { randomUUID } from 'node:crypto';
import type { Behavior } from './behavior.ts';
import { type Drive, describe, driveId, type Item } from './drive.ts';

export type GraphReply = { status: number; body?: unknown; headers?: Record<string, string> };
export type GraphCall = {
  method: string;
  path: string;
  query: URLSearchParams;
  ifMatch: string | undefined;
  body: unknown;
};
export type GraphState = {
  url: string;
  drive: Drive;
  behavior: Behavior;
  /** Addresses of contents by their last part. */
  contents: Map<string, { id: string; until: number }>;
};

const failure = (status: number, code: string): GraphReply => ({
  status,
  body: { error: { code, message: `${code}.`, innerError: { 'request-id': randomUUID() } } },
});
const notFound = failure(404, 'itemNotFound');

/** Answers a call below /v1.0, with its kind for the journal and the item that it is about. */
export function findCall(
  call: GraphCall,
  state: GraphState,
): { kind: CallName; item: Item | undefined; reply(): GraphReply } {
  const { drive } = state;
  const [, path] = /^\/(?:me|users\/[^/]+|sites\/[^/]+)\/drive\/root:\/(.+)$/.exec(call.path) ?? [];
  if (path !== undefined) {
    const item = drive.at(decodeURIComponent(path));
    return { kind: 'resolve', item, reply: () => describedOr404(item, state) };
  }
  const [, site] = /^\/sites\/([^/:]+):\/(.+)$/.exec(call.path) ?? [];
  if (site !== undefined) {
    return { kind: 'site', item: undefined, reply: () => ({ status: 200, body: { id: `${site},1,2` } }) };
  }
  const [, ofDrive, rest = ''] = /^\/drives\/([^/]+)\/(.+)$/.exec(call.path) ?? [];
  if (ofDrive === undefined || decodeURIComponent(ofDrive) !== driveId) return unknownCall;
  if (rest === 'root/delta')
    return { kind: 'delta', item: undefined, reply: () => delta(drive.root, call, state) };
  const [, id = '', name, action] = /^items\/([^/:]+)(?::\/([^/]+))?(?:\/(\w+))?$/.exec(rest) ?? [];
  const item = drive.items.get(decodeURIComponent(id));
  return itemCall(call, { item, name, action }, state);
}

export type CallName =
  | 'resolve'
  | 'site'
  | 'delta'
  | 'item'
  | 'child'
  | 'make-folder'
  | 'move'
  | 'delete'
  | 'content'
  | 'other';

const unknownCall = { kind: 'other' as const, item: undefined, reply: () => failure(404, 'unknownCall') };

function itemCall(
  call: GraphCall,
  { item, name, action }: { item: Item | undefined; name: string | undefined; action: string | undefined },
  state: GraphState,
) {
  const { drive, behavior } = state;
  const of = (kind: CallName, reply: (found: Item) => GraphReply) => ({
    kind,
    item,
    reply: () => (item ? reply(item) : notFound),
  });
  if (name !== undefined) {
    return of('child', ({ id }) => describedOr404(drive.childOf(id, decodeURIComponent(name)), state));
  }
  switch (`${call.method} ${action ?? ''}`) {
    case 'GET delta':
      return of('delta', (found) =>
        behavior.folderDelta === 'refused' ? failure(400, 'invalidRequest') : delta(found, call, state),
      );
    case 'GET content':
      return of('content', (found) => content(found, state));
    case 'POST children':
      return of('make-folder', (found) => makeFolder(found, call, state));
    case 'PATCH ':
      return of('move', (found) => move(found, call, state));
    case 'DELETE ':
      return of('delete', (found) => {
        if (isOtherVersion(found, call)) return failure(412, 'notAllowed');
        drive.remove(found.id);
        return { status: 204 };
      });
    case 'GET ':
      return of('item', (found) => describedOr404(found, state));
    default:
      return unknownCall;
  }
}

const describedOr404 = (item: Item | undefined, { behavior }: GraphState): GraphReply =>
  item ? { status: 200, body: describe(item, behavior) } : notFound;

const isOtherVersion = ({ eTag }: Item, { ifMatch }: GraphCall) => ifMatch !== undefined && ifMatch !== eTag;

function makeFolder(parent: Item, { body }: GraphCall, state: GraphState): GraphReply {
  const { name } = body as { name: string };
  if (state.drive.childOf(parent.id, name)) return failure(409, 'nameAlreadyExists');
  return { status: 201, body: describe(state.drive.makeFolder(parent.id, name), state.behavior) };
}

function move(item: Item, call: GraphCall, { drive, behavior }: GraphState): GraphReply {
  if (isOtherVersion(item, call)) return failure(412, 'notAllowed');
  const { name, parentReference } = call.body as { name: string; parentReference: { id: string } };
  const taken = drive.childOf(parentReference.id, name);
  if (taken && taken.id !== item.id) return failure(409, 'nameAlreadyExists');
  const parentId = behavior.refusesMoves ? item.parentId : parentReference.id;
  return { status: 200, body: describe(drive.change(item.id, { name, parentId }), behavior) };
}

function content(item: Item, { url, behavior, contents }: GraphState): GraphReply {
  const key = randomUUID();
  contents.set(key, { id: item.id, until: Date.now() + behavior.contentMs });
  const location = `${behavior.contentOrigin ?? url}/contents/${key}?tempauth=sim-contents-${key}`;
  return { status: 302, headers: { location } };
}

/** A place in the list of changes. `until`: the last change when its first page was asked for. */
type Token = { after: number; until: number; offset: number };

const tokenOf = (token: Token) => Buffer.from(JSON.stringify(token)).toString('base64url');

/** A page of changes in a folder; without a token, of all items. */
function delta(folder: Item, { path, query }: GraphCall, { url, drive, behavior }: GraphState): GraphReply {
  const given = query.get('token');
  const token: Token =
    given === null
      ? { after: 0, until: drive.lastChange(), offset: 0 }
      : JSON.parse(Buffer.from(given, 'base64url').toString('utf8'));
  const from = token.offset === 0 ? { ...token, until: drive.lastChange() } : token;
  const ids = drive.changedIn(folder.id, from.after, from.until).filter((id) => id !== folder.id);
  const items = ids.map((id) => {
    const item = drive.items.get(id);
    if (item && drive.isIn(id, folder.id)) return describe(item, behavior);
    return { id, deleted: { state: 'deleted' }, parentReference: { driveId } };
  });
  const all = from.after === 0 ? [describe(folder, behavior), ...items] : items;
  const top = Math.min(behavior.pageItems, Number(query.get('$top') ?? 200));
  const value = all.slice(from.offset, from.offset + top);
  const link = (next: Token) => `${url}/v1.0${path}?token=${tokenOf(next)}`;
  if (behavior.repeatsLinks) return { status: 200, body: { value, '@odata.nextLink': link(from) } };
  const isLast = from.offset + top >= all.length;
  const next = isLast
    ? { '@odata.deltaLink': link({ after: from.until, until: from.until, offset: 0 }) }
    : { '@odata.nextLink': link({ ...from, offset: from.offset + top }) };
  return { status: 200, body: { value, ...next } };
}
