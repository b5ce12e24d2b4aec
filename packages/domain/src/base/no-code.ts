import { toEntrySet } from './text-list.ts';

/** Words for a missing barcode, in lower case and without punctuation at the ends. */
const words = toEntrySet(`
  n/a|na|n.a|n.v.t|nvt|k.a|none|no|nil|null|nan|no barcode|no upc|no ean|without|without barcode|not applicable|not available
  |does not apply|not assigned|unknown|undefined|empty|pending|tbd|tba|tbc|x|xx|xxx|keine|kein|keiner|kein ean|ohne|ohne ean
  |nicht vorhanden|nicht zutreffend|unbekannt|entfällt|aucun|aucune|néant|sans|sans ean|inconnu|non applicable
  |non disponible|ninguno|ninguna|sin|sin código|no aplica|no disponible|desconocido|nessuno|nessuna|senza
  |non disponibile|assente|nenhum|nenhuma|sem|sem gtin|sem ean|não aplicável|não tem|geen|zonder|onbekend|brak|nie dotyczy
  |bez kodu|bez ean|ingen|saknas|ej tillämpligt|mangler|puuttuu|ei ole|žádný|není|bez|nincs|fără|lipsă|nema|ni|puudub|nav
  |nėra|κανένα|χωρίς|нет|без|без штрихкода|отсутствует|не указан|н/д|немає|няма|yok|无|無|没有|なし|無し|없음|해당없음|không có|không
  |tidak ada|ไม่มี|אין|ندارد|لا يوجد
`);
const charsMax = 24;
const atEnds = /^[\s\-–—_.*?#/]+|[\s\-–—_.*?#/]+$/g;

/** Whether the cell of a code means that there is no code: 'n/a', '-', '0', 'keine'. */
export function isNoCode(cell: string): boolean {
  // A shortcut for most codes: none of the words begins with a digit.
  if (cell.length > charsMax || /^[1-9]/.test(cell)) return false;
  const text = cell.replace(atEnds, '').toLowerCase();
  return text === '' || /^0+$/.test(text) || words.has(text);
}
