import { foldText, unspacedScript } from './fold-text.ts';

/** Units by their spellings in the languages of supplier files. 'pcs' counts pieces. */
const spellings: Record<string, string> = {
  mm: 'mm millimeter millimeters millimetre millimetres milimetros millimetri мм 毫米 ミリ',
  cm: 'cm centimeter centimeters centimetre centimetres zentimeter zentimetern centimetros centimetri см 厘米 公分 センチ',
  m: 'm meter meters metre metres metern metro metros metri м 米 メートル',
  km: 'km kilometer kilometers kilometre kilometres км',
  m2: 'm2 qm sqm м2',
  m3: 'm3 cbm м3',
  cm3: 'cm3 ccm',
  in: 'in inch inches zoll pouce pouces pulgada pulgadas pollici duim cale 英寸 インチ " ″ ”',
  ft: 'ft foot feet pies',
  yd: 'yd yard yards',
  mg: 'mg milligram milligrams мг 毫克',
  g: 'g gr gram grams gramm gramme grammes gramos grammi г гр γρ 克 グラム',
  kg: 'kg kilo kilos kilogram kilograms kilogramm кг κιλα 公斤 千克 キロ',
  oz: 'oz ounce ounces unze unzen onzas once',
  lb: 'lb lbs pound pounds pfund libras funt',
  ml: 'ml milliliter milliliters millilitre millilitres мл 毫升 ミリリットル',
  cl: 'cl centiliter centilitre',
  dl: 'dl deciliter',
  l: 'l lt ltr liter liters litre litres litro litros litri л 升 リットル',
  gal: 'gal gallon gallons',
  qt: 'qt quart quarts',
  cup: 'cup cups',
  tbsp: 'tbsp tablespoon tablespoons',
  tsp: 'tsp teaspoon teaspoons',
  w: 'w watt watts вт 瓦',
  kw: 'kw kilowatt',
  v: 'v volt volts',
  gb: 'gb гб',
  lm: 'lm lumen lumens',
  karat: 'karat carat carats kt',
  '%': '% percent prozent procent процентов',
  k: 'k kelvin',
  px: 'px pixel pixels',
  mp: 'mp megapixel megapixels',
  min: 'min mins minute minutes minuten minuti minutos minuter мин 分钟',
  s: 's sec secs second seconds sekunde sekunden secondes segundos secondi сек 秒',
  h: 'h hr hrs hour hours stunde stunden std heure heures hora horas uur timmar timer godzin час часов 小时 時間',
  day: 'day days tag tage tagen jour jours dia dias giorni dagen dagar dage dni 天',
  week: 'week weeks woche wochen semaines semanas settimane weken',
  month: 'month months monat monate monaten mois meses mesi maanden',
  year: 'year years yr yrs jahr jahre jahren ans ano anos anni jaar lat age ages alter edad eta 岁 歳',
  pcs: 'pcs pc ct pk piece pieces stuck stucke st stk stuks pieza piezas pezzi pecas szt шт 件 个 個 枚 本 只 片 件套',
};

/** Units with a single spelling. */
const plainUnits =
  'cm2 floz ma mah ah wh kwh hz khz mhz ghz kb mb tb db lux °c °f rpm psi bar nm dpi hrc gsm';

const unitOf = new Map(plainUnits.split(' ').map((unit) => [unit, unit]));
for (const [unit, list] of Object.entries(spellings)) {
  for (const spelling of list.split(' ')) unitOf.set(foldText(spelling), unit);
}
/** Length of the longest unit in a script without spaces, in which other words directly follow a unit. */
const unspacedCharsMax = 6;

export const findUnit = (word: string): string | null => unitOf.get(word) ?? null;

const dimension = /^(?:wide|long|high|deep|tall|thick|and|or|by|x|diameter|diagonal)(?![a-z])/;

/** Finds the unit after a number in folded text, and its length. With `isLenient`, 'in' is always inch. */
export function findUnitAfter(rest: string, isLenient: boolean): { unit: string; chars: number } | null {
  const gap = /^[ \-‐–]? ?/.exec(rest)?.[0].length ?? 0;
  const text = rest.slice(gap);
  const sign = /^(?:%|["″”]|° ?[cf](?![a-z])|fl\.? ?oz(?![a-z]))/.exec(text)?.[0];
  if (sign !== undefined) {
    const unit = findUnit(sign.replace(/[ .]/g, ''));
    return unit === null ? null : { unit, chars: gap + sign.length };
  }
  const word = /^(?:[a-z]+[23]?(?![a-z0-9])|[α-ω]+|[а-яё]+[23]?)/.exec(text)?.[0];
  if (word !== undefined) {
    const unit = findUnit(word);
    if (unit === null || (word === 'in' && !isLenient && !isInch(text.slice(word.length)))) return null;
    return { unit, chars: gap + word.length };
  }
  // Without this check of the script, the 'm' of 'DIN 933 M8' would be meters.
  if (!unspacedScript.test(text.charAt(0))) return null;
  for (let chars = unspacedCharsMax; chars > 0; chars--) {
    const unit = findUnit(text.slice(0, chars));
    if (unit !== null && text.length >= chars) return { unit, chars: gap + chars };
  }
  return null;
}

/** Returns whether 'in' means inches: at the end, before a mark such as ')', or before words for dimensions. */
function isInch(after: string): boolean {
  const next = after.trimStart();
  return !/^[\p{L}\p{N}]/u.test(next) || dimension.test(next);
}
