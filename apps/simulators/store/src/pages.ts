import type { StoredProduct, StoredVariant } from './catalogue.ts';
import { type Clock, storeTime } from './clock.ts';
import { mainLocationId, type Shop } from './demo-shop.ts';
import { mediaState } from './media-state.ts';
import { filePath } from './staged-uploads.ts';

/** Pages load only product images, run no scripts, and send forms to the store only. */
export const pageHeaders = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src http: https:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'referrer-policy': 'same-origin',
};

const pageSize = 50;

type ListAddress = { page: number; search: string };

/** The products of the store or of a search, newest first, one page of them. */
export function productListPage(shop: Shop, products: readonly StoredProduct[], at: ListAddress): string {
  const { page, search } = at;
  const pages = Math.max(1, Math.ceil(products.length / pageSize));
  const shown = products.slice((page - 1) * pageSize, page * pageSize);
  const rows = shown.map(
    (product) => `<tr>
      <td><a href="/admin/products/${product.id}">${escapeHtml(product.title)}</a></td>
      <td>${badge(product.status)}</td>
      <td>${escapeHtml(product.vendor)}</td>
      <td>${escapeHtml(product.productType)}</td>
      <td class="amount">${product.variants.length}</td>
      <td class="amount">${escapeHtml(product.variants[0]?.price ?? '')}</td>
    </tr>`,
  );
  const nothing =
    search === '' ? 'No products yet. Push an import, and its drafts appear here.' : 'No products.';
  const body =
    products.length === 0
      ? `<p class="empty">${nothing}</p>`
      : `<table>
    <thead><tr><th>Product</th><th>Status</th><th>Vendor</th><th>Type</th><th class="amount">Variants</th><th class="amount">Price</th></tr></thead>
    <tbody>${rows.join('')}</tbody></table>
    <p class="pages">${pageLink({ ...at, page: page - 1 }, pages, 'Newer')} Page ${page} of ${pages} ${pageLink({ ...at, page: page + 1 }, pages, 'Older')}</p>`;
  const filter =
    search === '' ? '' : `<p>${escapeHtml(search)} · <a href="/admin/products">All products</a></p>`;
  return layout(shop, 'Products', `<h1>Products <small>${products.length}</small></h1>${filter}${body}`);
}

function pageLink({ page, search }: ListAddress, pages: number, text: string): string {
  if (page < 1 || page > pages) return '';
  const query = new URLSearchParams({ page: String(page), ...(search === '' ? {} : { query: search }) });
  return `<a href="/admin/products?${escapeHtml(query.toString())}">${text}</a>`;
}

/** One product with everything that the store has stored. */
export function productPage(
  product: StoredProduct,
  {
    clock,
    shop,
    collections,
    editToken,
  }: { clock: Clock; shop: Shop; collections: readonly string[]; editToken: string },
): string {
  const images = product.media.map((media) => {
    const state = mediaState(media, clock());
    const picture =
      state === 'READY'
        ? `<img src="${escapeHtml(media.staged === undefined ? media.originalSource : filePath(media.staged))}" alt="${escapeHtml(media.alt ?? '')}" loading="lazy">`
        : `<div class="picture"></div>`;
    return `<figure>${picture}<figcaption>${badge(state)}</figcaption></figure>`;
  });
  const metafields = product.metafields.map(
    (one) =>
      `<tr><td>${escapeHtml(`${one.namespace}.${one.key}`)}</td><td class="long">${escapeHtml(one.value)}</td></tr>`,
  );
  const body = `<p><a href="/admin/products">‹ Products</a></p>
    <h1>${escapeHtml(product.title)} ${badge(product.status)}</h1>
    <dl>
      ${line('Vendor', product.vendor)}${line('Type', product.productType)}${line('Tags', product.tags.join(', '))}
      ${line('Collections', collections.join(', '))}${line('Handle', product.handle)}${line('Updated', storeTime(product.updatedAtMs))}
    </dl>
    ${images.length > 0 ? `<section class="images">${images.join('')}</section>` : ''}
    <h2>Description</h2>
    ${product.descriptionHtml ? `<iframe sandbox srcdoc="${escapeHtml(product.descriptionHtml)}" title="Description"></iframe>` : '<p class="empty">None.</p>'}
    <h2>Variants</h2>
    <table><thead><tr><th>Variant</th><th>SKU</th><th>Barcode</th><th class="amount">Price</th><th class="amount">Compare at</th><th class="amount">Cost</th><th class="amount">Quantity</th><th class="amount">Weight</th></tr></thead>
    <tbody>${product.variants.map(variantRow).join('')}</tbody></table>
    <h2>Metafields</h2>
    <table><tbody>${metafields.join('')}</tbody></table>
    ${editForm(product, editToken)}`;
  return layout(shop, product.title, body);
}

/** Changes the product as another person would, so that a push finds it changed. */
function editForm(product: StoredProduct, token: string): string {
  const [variant] = product.variants;
  const statuses = ['DRAFT', 'ACTIVE', 'ARCHIVED'].map(
    (status) =>
      `<option${status === product.status ? ' selected' : ''} value="${status}">${status.toLowerCase()}</option>`,
  );
  const field = (label: string, name: string, value: string, type = 'text') =>
    `<label>${label}<input name="${name}" type="${type}" value="${escapeHtml(value)}"></label>`;
  return `<h2>Edit as somebody else would</h2>
    <form method="post" action="/admin/products/${product.id}">
      <input type="hidden" name="token" value="${escapeHtml(token)}">
      ${field('Title', 'title', product.title)}
      ${field('Price', 'price', variant?.price ?? '')}
      ${field('Quantity', 'quantity', String(variant?.quantities?.[mainLocationId] ?? variant?.quantity ?? 0), 'number')}
      ${field('Tags', 'tags', product.tags.join(', '))}
      <label>Status<select name="status">${statuses.join('')}</select></label>
      <button name="action" value="save">Save</button>
      <button name="action" value="delete">Delete product</button>
    </form>`;
}

function variantRow(variant: StoredVariant): string {
  const amount = (text: string | null) => `<td class="amount">${escapeHtml(text ?? '')}</td>`;
  const title = variant.optionValues.map((one) => one.value).join(' / ');
  return `<tr><td>${escapeHtml(title)}</td><td>${escapeHtml(variant.sku ?? '')}</td><td>${escapeHtml(variant.barcode ?? '')}</td>
    ${amount(variant.price)}${amount(variant.compareAtPrice)}${amount(variant.cost)}
    ${amount(variant.tracked ? String(variant.quantity) : 'not tracked')}${amount(weightText(variant))}</tr>`;
}

const weightText = ({ weight }: StoredVariant): string | null =>
  weight ? `${weight.value} ${weight.unit.toLowerCase()}` : null;

export function notFoundPage(shop: Shop): string {
  return layout(shop, 'Not found', '<h1>Not found</h1><p><a href="/admin/products">All products</a></p>');
}

function line(name: string, text: string): string {
  return text ? `<dt>${name}</dt><dd>${escapeHtml(text)}</dd>` : '';
}

function badge(status: string): string {
  return `<span class="badge ${escapeHtml(status.toLowerCase())}">${escapeHtml(status.toLowerCase())}</span>`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

function layout(shop: Shop, title: string, body: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · ${escapeHtml(shop.name)}</title><style>${style}</style></head>
<body><header><strong>${escapeHtml(shop.name)}</strong><span>simulated store</span></header><main>${body}</main></body></html>`;
}

const style = `
:root { color-scheme: light dark; --line: light-dark(#e2e2e2, #3a3a3a); --soft: light-dark(#616161, #a8a8a8); }
body { margin: 0; font: 14px/1.5 system-ui, sans-serif; background: light-dark(#f4f4f4, #161616); color: light-dark(#202020, #ededed); }
header { display: flex; gap: 12px; align-items: baseline; padding: 12px 24px; background: #1a1a1a; color: #fff; }
header span { color: #b5b5b5; font-size: 12px; }
main { max-width: 960px; margin: 24px auto; padding: 24px; background: light-dark(#fff, #202020); border: 1px solid var(--line); border-radius: 12px; overflow-x: auto; }
h1 { font-size: 20px; margin: 0 0 16px; overflow-wrap: anywhere; } h1 small { color: var(--soft); font-weight: normal; } h2 { font-size: 15px; margin: 24px 0 8px; }
table { width: 100%; border-collapse: collapse; } th, td { text-align: left; padding: 8px; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
th { color: var(--soft); font-weight: 500; } .amount { text-align: right; font-variant-numeric: tabular-nums; }
a { color: light-dark(#0b57a4, #7db8f2); } .empty, .pages { color: var(--soft); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 4px 16px; margin: 0; } dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
.badge { font-size: 12px; font-weight: normal; padding: 2px 8px; border-radius: 8px; background: light-dark(#e8e8e8, #3a3a3a); }
.badge.active, .badge.ready { background: light-dark(#cdf3d8, #14532d); } .badge.draft { background: light-dark(#dcecfb, #123a5e); } .badge.failed { background: light-dark(#fbd9d7, #6b1a16); }
.images { display: flex; flex-wrap: wrap; gap: 12px; margin-top: 16px; } figure { margin: 0; } img, .picture { width: 120px; height: 120px; object-fit: contain; border: 1px solid var(--line); border-radius: 8px; background: #fff; display: block; }
form { display: flex; flex-wrap: wrap; gap: 12px; align-items: end; } label { display: grid; gap: 4px; color: var(--soft); } input, select, button { font: inherit; min-height: 44px; padding: 0 12px; border: 1px solid var(--line); border-radius: 8px; background: light-dark(#fff, #161616); color: inherit; }
iframe { width: 100%; height: 160px; border: 1px solid var(--line); border-radius: 8px; background: #fff; }`;
