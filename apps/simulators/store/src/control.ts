import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import type { Access } from './access.ts';
import type { Catalogue } from './catalogue.ts';
import type { Clock } from './clock.ts';
import type { Shop } from './demo-shop.ts';
import { Fault, type Faults } from './faults.ts';
import { gid } from './gid.ts';
import { handleOf } from './handles.ts';
import { parseBody, readBody, sendJson } from './http-body.ts';
import { editedProduct, MerchantEdit } from './merchant-edit.ts';
import type { Stats } from './stats.ts';

export type ControlDeps = {
  access: Access;
  catalogue: Catalogue;
  clock: Clock;
  faults: Faults;
  shop: Shop;
  stats: Stats;
};

const ShopChange = z.strictObject({
  scopes: z.array(z.string()).optional(),
  dailyVariantsMax: z.int().min(0).nullable().optional(),
  keepsFiles: z.boolean().optional(),
});

const CollectionChange = z.strictObject({
  /** Absent: a new collection. */
  id: z.string().optional(),
  title: z.string().optional(),
  smart: z.boolean().optional(),
  deleted: z.literal(true).optional(),
});

type Reply = { status: number; body: unknown };
const ok = (body: unknown): Reply => ({ status: 200, body });
const unknownThing: Reply = { status: 404, body: { errors: 'Not Found' } };

/** A definition of metafields of products, by namespace and key: new, changed, or removed. */
const DefinitionChange = z.strictObject({
  namespace: z.string(),
  key: z.string(),
  name: z.string().default('Untitled'),
  type: z.string().default('single_line_text_field'),
  description: z.string().nullable().default(null),
  validations: z.array(z.object({ name: z.string(), value: z.string().nullable() })).default([]),
  isRemoved: z.literal(true).optional(),
});

/**
 * Control calls for tests: POST and DELETE /__faults, GET /__products, /__staged and /__stats, POST /__edit/<id>,
 * /__shop, /__collections and /__definitions.
 */
export async function answerControl(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  deps: ControlDeps,
): Promise<void> {
  const refused = refusalOf(request, deps.access);
  if (refused) return sendJson(response, refused.status, { errors: refused.errors });
  const call = `${request.method} ${path}`;
  const body = request.method === 'POST' ? parseBody(await readBody(request), 'application/json') : null;
  const { status, body: reply } = replyTo(call, body, deps);
  await deps.catalogue.flushed();
  sendJson(response, status, reply);
}

function replyTo(call: string, body: unknown, deps: ControlDeps): Reply {
  const { catalogue, faults, stats } = deps;
  switch (call) {
    case 'GET /__products':
      return ok([...catalogue.products.values()]);
    case 'GET /__staged':
      return ok(stagedList(catalogue));
    case 'GET /__stats':
      return ok({ ...stats, products: catalogue.products.size });
    case 'DELETE /__faults':
      faults.clear();
      return ok({});
    case 'POST /__faults':
      return parsed(Fault, body, (fault) => {
        faults.add(fault);
        return ok(fault);
      });
    case 'POST /__shop':
      return parsed(ShopChange, body, (change) => ok(Object.assign(deps.shop, change)));
    case 'POST /__collections':
      return parsed(CollectionChange, body, (change) => changeCollection(change, catalogue));
    case 'POST /__definitions':
      return parsed(DefinitionChange, body, (change) => ok(changeDefinition(change, catalogue)));
    default: {
      const [, id] = /^POST \/__edit\/(\d+)$/.exec(call) ?? [];
      return parsed(MerchantEdit, body, (edit) => changeProduct(Number(id), edit, deps));
    }
  }
}

/** The uploaded files, oldest first; `used`: the images of products that were made of each. */
function stagedList({ products, stagedFiles }: Catalogue): object[] {
  const media = [...products.values()].flatMap((product) => product.media);
  return [...stagedFiles.values()].map(({ token, filename, mimeType, stored }) => ({
    token,
    filename,
    mimeType,
    bytes: stored?.bytes ?? null,
    sha256: stored?.sha256 ?? null,
    used: media.filter(({ staged }) => staged === token).length,
  }));
}

function parsed<T>(schema: z.ZodType<T>, body: unknown, use: (value: T) => Reply): Reply {
  const result = schema.safeParse(body);
  return result.success ? use(result.data) : { status: 400, body: { errors: z.prettifyError(result.error) } };
}

function changeProduct(id: number, edit: MerchantEdit, { catalogue, clock }: ControlDeps): Reply {
  const product = catalogue.products.get(id);
  if (!product) return unknownThing;
  if (edit.deleted) catalogue.deleteProduct(product.id);
  else catalogue.putProduct(editedProduct(product, edit, clock()));
  return ok(catalogue.products.get(product.id) ?? {});
}

function changeDefinition(
  { isRemoved, ...change }: z.infer<typeof DefinitionChange>,
  catalogue: Catalogue,
): object {
  const { id = catalogue.nextId() } = catalogue.definition('PRODUCT', change.namespace, change.key) ?? {};
  const definition = { id, ownerType: 'PRODUCT', ...change, ...(isRemoved && { isRemoved }) };
  catalogue.addDefinition(definition);
  return definition;
}

function changeCollection(change: z.infer<typeof CollectionChange>, catalogue: Catalogue): Reply {
  const existing = change.id === undefined ? undefined : catalogue.collections.get(change.id);
  if (change.id !== undefined && !existing) return unknownThing;
  if (change.deleted && existing) {
    catalogue.deleteCollection(existing.id);
    return ok({});
  }
  const title = change.title ?? existing?.title ?? 'Untitled';
  const collection = {
    id: existing?.id ?? gid('Collection', catalogue.nextId()),
    title,
    handle: existing?.handle ?? handleOf(title),
    smart: change.smart ?? existing?.smart ?? false,
  };
  catalogue.putCollection(collection);
  return ok(collection);
}

/**
 * Why a call is refused, or undefined. A website can reach this machine through its visitor's browser, also with its
 * own domain pointing here, so the caller's address proves nothing. Required are a loopback name in Host, the store's
 * access token, and for a body a content type that pages cannot send to other origins without permission.
 */
function refusalOf(request: IncomingMessage, access: Access): { status: number; errors: string } | undefined {
  const { host = '', 'content-type': contentType = '', 'x-shopify-access-token': token } = request.headers;
  if (!isLoopback(request.socket.remoteAddress) || !loopbackHost.test(host)) {
    return { status: 403, errors: 'loopback only' };
  }
  if (!access.allows(String(token))) return { status: 401, errors: 'x-shopify-access-token is needed' };
  if (request.method === 'POST' && !/^application\/json(?:;|$)/i.test(contentType)) {
    return { status: 415, errors: 'application/json is needed' };
  }
  return undefined;
}

const loopbackHost = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i;

function isLoopback(address: string | undefined): boolean {
  return /^(127\.|::1$|::ffff:127\.)/.test(address ?? '');
}
