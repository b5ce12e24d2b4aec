import { optionFields } from '../../base/canonical-fields.ts';
import { areOptionLists } from '../option-pairs.ts';
import { filledCells, type Sample } from './column-evidence.ts';
import { headerWords, isNeutralWord, wordSet } from './header-words.ts';

/** Header words for properties in which the variants of a product differ. */
const attributeWords = wordSet(`
  color colour colors colours farbe couleur colore colori cor cores kleur kolor barva renk цвет 颜色 顏色 カラー 색상 farve färg väri
  size sizes größe groesse taille tailles taglia talla tallas tamanho maat rozmiar velikost beden размер 尺寸 尺码 尺碼 サイズ 사이즈
  størrelse storlek koko medida medidas misura ukuran warna saiz mida mărime méret velikosti veľkosť rozmer dydis suurus izmērs veličina μέγεθος розмір размеры beden ölçü ขนาด สี màu مقاس لون اللون المقاس מידה צבע 색 규격 规格 規格
  material materials stoff matiere materiale materiaal materiał malzeme материал 材质 材質 fabric
  style finish scent fragrance flavor flavour aroma geschmack duft gusto sabor parfum pattern design edition format
  capacity wattage voltage dimension dimensions gauge diameter durchmesser diamètre
`);
const attributes = new Set([...attributeWords].flatMap(headerWords));

/**
 * Returns the columns that are named like options ('Color') and differ between the rows of a product: at most three,
 * in file order. Without such columns, returns one differing column whose cells list options, or none. @param
 * groupColumn the column whose equal values make rows one product: handle or parent SKU
 */
export function findAttributeColumns(
  headers: readonly string[],
  sample: Sample,
  groupColumn: number,
  isTaken: (index: number) => boolean,
): number[] {
  const groups = Map.groupBy(sample, (row) => row[groupColumn]?.trim() ?? '');
  groups.delete('');
  const products = [...groups.values()].filter((rows) => rows.length > 1);
  const isFree = (index: number) => !isTaken(index) && products.some((rows) => differ(rows, index));
  const free = [...headers.keys()].filter(isFree);
  const varying = free.filter((index) => isAttributeHeader(headers[index] as string));
  if (varying.length > 0) return varying.slice(0, optionFields.length);
  const lists = (index: number) => areOptionLists(sample.map((row) => row[index]));
  return free.values().filter(lists).take(1).toArray();
}

/** Whether a header names a property in which variants differ: Colour, Size. */
export function isAttributeHeader(header: string): boolean {
  const rest = headerWords(header).filter(
    (word) => !isNeutralWord(word) && word !== 'name' && word !== 'value',
  );
  return rest.length === 1 && attributes.has(rest[0] as string);
}

const differ = (rows: Sample, index: number): boolean =>
  new Set(filledCells(rows, index).map((cell) => cell.toLowerCase())).size > 1;
