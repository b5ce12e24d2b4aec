import { z } from 'zod';
import { type Arrival, Behavior } from './behavior.ts';
import type { Drive, Item } from './drive.ts';
import type { Login } from './login.ts';

/** Changes to files of the drive, in order. Missing folders are created. */
const FileChange = z.union([
  z.strictObject({
    path: z.string(),
    text: z.string(),
    modifiedAt: z.coerce.date().optional(),
    pending: z.boolean().default(false),
    remote: z.boolean().default(false),
    notebook: z.boolean().default(false),
  }),
  z.strictObject({ path: z.string(), removed: z.literal(true) }),
  z.strictObject({ path: z.string(), renamed: z.string() }),
  z.strictObject({ path: z.string(), folder: z.literal(true) }),
]);
const FileChanges = z.array(FileChange);
type FileChange = z.infer<typeof FileChange>;

const AccountChange = z.strictObject({
  name: z.string().optional(),
  revoke: z.enum(['access', 'all']).optional(),
});
const Answer = z.strictObject({ code: z.string(), allow: z.boolean() });

export type ControlState = { drive: Drive; login: Login; arrivals: Arrival[]; behavior: Behavior };

/** The control calls of tests: files, behavior, the account, and the answer to a code. Returns null for others. */
export function control(call: string, body: () => unknown, state: ControlState): unknown {
  switch (call) {
    case 'GET /__journal':
      return state.arrivals;
    case 'DELETE /__journal':
      state.arrivals.length = 0;
      return {};
    case 'GET /__files':
      return [...state.drive.items.values()]
        .filter(({ isFolder }) => !isFolder)
        .map((item) => shown(item, state));
    case 'POST /__files':
      for (const change of FileChanges.parse(body())) apply(change, state.drive);
      return {};
    case 'POST /__behavior':
      state.behavior = Behavior.parse(body());
      return {};
    case 'POST /__account': {
      const { name, revoke } = AccountChange.parse(body());
      if (name !== undefined) state.login.rename(name);
      if (revoke !== undefined) state.login.revoke(revoke);
      return {};
    }
    case 'POST /__answer': {
      const { code, allow } = Answer.parse(body());
      return { taken: state.login.answer(code, allow) };
    }
    default:
      return null;
  }
}

function shown(item: Item, { drive }: ControlState): object {
  const names: string[] = [];
  for (let at: Item | undefined = item; at && at.parentId !== null; at = drive.items.get(at.parentId)) {
    names.unshift(at.name);
  }
  return { id: item.id, path: `/${names.join('/')}`, text: item.bytes.toString('utf8') };
}

function apply(change: FileChange, drive: Drive): void {
  const names = change.path.split('/').filter((name) => name !== '');
  const last = names.pop() ?? '';
  if ('folder' in change || 'text' in change) {
    let parent = drive.root;
    for (const name of names) parent = drive.childOf(parent.id, name) ?? drive.makeFolder(parent.id, name);
    if ('folder' in change) {
      if (!drive.childOf(parent.id, last)) drive.makeFolder(parent.id, last);
      return;
    }
    const { text, path: _, modifiedAt, ...flags } = change;
    const time = modifiedAt === undefined ? {} : { modifiedAt };
    drive.put(parent.id, last, { bytes: Buffer.from(text), ...time, ...flags });
    return;
  }
  const item = drive.at(change.path);
  if (!item) throw new Error(`Nothing at ${change.path}`);
  if ('removed' in change) drive.remove(item.id);
  else drive.change(item.id, { name: change.renamed });
}
