// Words that are common in headers and rarely whole cells. They only help to find the header, not to map columns.
const words = new Set(
  `id sku upc ean gtin isbn asin mpn barcode handle title name price msrp rrp cost brand vendor supplier manufacturer
  description desc category subcategory type qty quantity stock inventory status image images url link photo picture
  weight width height depth length size color colour material currency tags collection variant option options unit
  date time created updated number no nr code key value year month country city address email phone comment comments
  notes condition availability retail wholesale discount tax vat total amount product item products article model
  reference ref department class group parent position published visible language locale slug metatitle
  artikel artikelnummer bezeichnung beschreibung preis menge bestand marke hersteller kategorie farbe größe gewicht
  titre nom prix marque fournisseur désignation quantité catégorie couleur taille poids référence
  nombre precio marca proveedor descripción cantidad categoría código peso imagen
  nome preço prezzo descrizione quantità titolo codice categoria descrição quantidade estoque
  naam prijs merk voorraad omschrijving nazwa cena opis marka ilość název popis naziv artikelnr lagerbestand
  артикул название цена описание бренд количество категория наименование код
  名称 价格 描述 库存 品牌 类别 编号 商品名 価格 説明 在庫 商品番号 名稱 價格 數量 상품명 가격 수량`
    .split(/\s+/)
    .map((word) => word.normalize('NFC')),
);

/** Counts column names: 1 for a cell of up to four known words ('Unit Price'), 0.5 if only some words are known. */
export function countHeaderWords(cells: readonly string[]): number {
  return cells.reduce((sum, cell) => sum + namingShare(cell), 0);
}

const namedKinds: readonly (readonly [kind: 'number' | 'date' | 'link', words: readonly string[]])[] = [
  ['number', ['price', 'msrp', 'rrp', 'cost', 'qty', 'quantity', 'stock', 'weight', 'amount', 'discount']],
  ['date', ['date', 'time', 'created', 'updated']],
  ['link', ['url', 'link']],
];

/** Returns the kind that the cells below a name must have, or null for most names. */
export function kindImpliedByHeader(name: string): 'number' | 'date' | 'link' | null {
  const parts = new Set(wordsOf(name));
  return namedKinds.find(([, names]) => names.some((word) => parts.has(word)))?.[0] ?? null;
}

function namingShare(cell: string): number {
  if (cell.length > 40) return 0;
  const parts = wordsOf(cell);
  if (parts.length === 0 || parts.length > 4) return 0;
  const known = parts.filter((part) => words.has(part)).length;
  if (known === parts.length) return 1;
  return known > 0 ? 0.5 : 0;
}

const wordsOf = (name: string) =>
  name
    .normalize('NFC')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((part) => part !== '');
