import { describe, expect, it } from 'vitest';
import { cellRows } from '../testing/cell-rows.ts';
import { compareProducts, judgeAnswer } from './judge-answer.ts';
import type { SourceAnswer } from './sources.ts';

/** Title and brand of a row of a supplier's file, and what a source says about that. */
type Pair = readonly string[];

/** About the same product. */
const same: readonly Pair[] = cellRows(
  'Ceramic Table Lamp, Sage, 22"|Hollis & Fern|Hollis & Fern 22" Ceramic Table Lamp - Sage|Hollis & Fern',
  'Woven Jute Area Rug 5x7 ft|Marlow Lane|Marlow Lane Woven Jute Area Rug 5 ft x 7 ft Natural|Marlow Lane',
  'Linen Throw Pillow 20x20, Oatmeal|Hollis & Fern|Linen Throw Pillow, 20" x 20", Oatmeal|Hollis and Fern',
  'Mango Wood Serving Tray|Oak & Ember|Oak & Ember Mango Wood Serving Tray with Handles|Oak & Ember',
  'Hammered Brass Wall Sconce|Lumenry|Lumenry Hammered Brass Wall Sconce Light|Lumenry',
  'Ribbed Glass Bud Vase, Set of 3||Ribbed Glass Bud Vases (Set of 3)|',
  'Arched Floor Mirror 65x22, Black||Arched Floor Mirror 65"x22" Black Frame|Marlow Lane',
  'Boucle Accent Chair, Ivory||Modern Boucle Accent Chair Ivory|Rivet',
  'Terracotta Planter 10" with Saucer|Petalworks|Petalworks 10in Terracotta Planter & Saucer|Petalworks',
  'Macramé Wall Hanging, 36"||Macrame Wall Hanging 36 inch Boho|',
  'Scented Soy Candle – Cedar & Fig|Wick House|Wick House Cedar & Fig Scented Soy Candle 8 oz|Wick House',
  'Marble Bookends, Pair||Marble Bookends Pair White|Threshold',
  'Rattan Pendant Light 16"|Lumenry|Rattan Pendant Light, 16 in.|Lumenry',
  'Velvet Curtain Panel 52x84, Forest||Velvet Curtain Panel 52" x 84" Forest Green|',
  'Acacia Wood Cutting Board|Oak & Ember|Cutting Board Acacia Wood|Oak & Ember',
  'Framed Botanical Print, 16x20||Framed Botanical Print 16" x 20"|Opalhouse',
  'Stoneware Dinner Plate, Speckled, Set of 4|Oak & Ember|Oak & Ember Speckled Stoneware Dinner Plates - Set of 4|Oak & Ember',
  'Chunky Knit Throw Blanket 50x60|Knot & Thread|Chunky Knit Throw Blanket 50"x60" Cream|Knot & Thread',
  'KitchenAid Artisan Stand Mixer KSM150|KitchenAid|KitchenAid KSM150PSER Artisan Series 5-Qt. Stand Mixer|KitchenAid',
  'Sony WH1000XM4 Wireless Headphones Black|Sony|Sony WH1000XM4 Noise Canceling Wireless Headphones - Black|Sony',
  'LEGO City Fire Truck 60374|LEGO|LEGO 60374 City Fire Command Truck|LEGO',
  'Hydro Flask Water Bottle 32 oz, Black|Hydro Flask|Hydro Flask 32 oz Wide Mouth Water Bottle Black|Hydro Flask',
  'Yeti Rambler Tumbler 20oz Navy|YETI|YETI Rambler 20 oz Tumbler, Navy|Yeti',
  'Instant Pot Duo 7-in-1 Pressure Cooker 6qt|Instant Pot|Instant Pot Duo 7-in-1 Electric Pressure Cooker, 6 Quart|Instant Pot',
  'Dyson V8 Cordless Vacuum|Dyson|Dyson V8 Animal Cordless Stick Vacuum Cleaner|Dyson',
  'Crayola Crayons 64 ct|Crayola|Crayola 64 Count Crayons Box|Crayola',
  "Nike Mens Running Shorts Black L|Nike|Nike Men's Dri-FIT Running Shorts Black Large|Nike",
  "Levis 501 Jeans Original Fit|Levi's|Levi's 501 Original Fit Jeans|Levi's",
  'Philips Hue Bulb E27 White|Philips|Philips Hue White E27 LED Bulb|Philips',
  'Logitech MX Master 3S Mouse|Logitech|Logitech MX Master 3S Wireless Performance Mouse - Graphite|Logitech',
  'Barbie Dreamhouse Playset|Mattel|Barbie Dreamhouse Dollhouse Playset|Mattel',
  'Le Creuset Dutch Oven 5.5 qt Cerise|Le Creuset|Le Creuset Signature Dutch Oven 5.5 qt. Cerise|Le Creuset',
  'Oneida Flatware Set 45 pc|Oneida|Oneida 45-Piece Flatware Set|Oneida',
  'Bath Towel Egyptian Cotton White|Fieldcrest|Fieldcrest Egyptian Cotton Bath Towel White|Fieldcrest',
  'Duvet Cover Queen Linen Gray|Casaluna|Casaluna Linen Duvet Cover, Queen, Grey|Casaluna',
  'Lodge Cast Iron Skillet 10.25"|Lodge|Lodge 10.25 Inch Cast Iron Skillet|Lodge',
  'Stanley Quencher Tumbler 40oz Rose|Stanley|Stanley Quencher H2.0 Tumbler 40 oz Rose Quartz|Stanley',
  'Moleskine Classic Notebook Large Black|Moleskine|Moleskine Classic Notebook, Large, Ruled, Black|Moleskine',
  'Sharpie Permanent Markers Fine 12 ct|Sharpie|Sharpie Permanent Markers, Fine Point, 12 Count|Newell Sharpie',
  'Nespresso Vertuo Coffee Machine|Nespresso|Nespresso Vertuo Next Coffee and Espresso Machine|Nespresso',
  'GoPro HERO11 Action Camera|GoPro|GoPro HERO11 Black Waterproof Action Camera|GoPro',
  'Brita Water Pitcher 10 cup|Brita|Brita 10 Cup Water Filter Pitcher|Brita',
  'Weber Spirit Gas Grill E310|Weber|Weber Spirit E310 Gas Grill Black|Weber',
  'Playmobil Pirate Ship 70411|Playmobil|PLAYMOBIL 70411 Pirate Ship|Playmobil',
  'Bodum Chambord Kaffeebereiter 1 l|Bodum|Bodum Chambord Kaffeebereiter 1L|BODUM',
  'Weihnachtskugeln Glas rot 12 Stück|Krebs|Krebs Weihnachtskugeln aus Glas rot 12 Stück|Krebs',
  'Tasse en porcelaine bleu|Revol|Revol Tasse porcelaine bleu 18 cl|Revol',
  '白色台灯罩 布艺||北欧白色台灯罩 布艺|',
  'Ninja Blender Professional 1000W|Ninja|Ninja BL610 Professional Blender 1000W|Ninja',
  'Oral-B Toothbrush Heads 4 pack|Oral-B|Oral-B CrossAction Toothbrush Replacement Heads, 4 Count|Oral-B',
  'Vase|Hollis & Fern|Hollis & Fern Tall Vase|Hollis & Fern',
  'Hollis & Fern Ceramic Vase||Ceramic Vase|Hollis & Fern',
  'Bluetooth Speaker JBL Flip 6||JBL Flip 6 Portable Bluetooth Speaker|JBL',
);

/** Re-used codes, mistyped codes that are still valid, and neighbours in a maker's catalog. */
const other: readonly Pair[] = cellRows(
  'Ceramic Table Lamp, Sage, 22"|Hollis & Fern|Hollis & Fern Linen Throw Pillow Oatmeal|Hollis & Fern',
  'Ceramic Table Lamp, Sage, 22"|Hollis & Fern|Hollis & Fern Ceramic Table Lamp Sage 28"|Hollis & Fern',
  'Ceramic Table Lamp, Sage, 22"|Hollis & Fern|Hollis & Fern Ceramic Table Lamp Navy 22"|Hollis & Fern',
  'Ceramic Table Lamp, Sage|Hollis & Fern|Hollis & Fern Ceramic Vase, Sage|Hollis & Fern',
  'Woven Jute Area Rug 5x7 ft|Marlow Lane|Marlow Lane Woven Jute Area Rug 8x10 ft|Marlow Lane',
  'Mango Wood Serving Tray|Oak & Ember|Oak & Ember Acacia Wood Cutting Board|Oak & Ember',
  'Mango Wood Serving Tray|Oak & Ember|Sterilite Storage Tote 18 gal|Sterilite',
  'Hammered Brass Wall Sconce|Lumenry|Lumenry Rattan Pendant Light|Lumenry',
  'Ribbed Glass Bud Vase, Set of 3||Ribbed Glass Tumblers Set of 6|',
  'Ribbed Glass Bud Vase, Set of 3||Phone Case Clear iPhone 13|OtterBox',
  'Arched Floor Mirror 65x22, Black||Arched Floor Mirror 71x28 Black|',
  'Arched Floor Mirror 65x22, Black||Arched Floor Mirror 65x22 Gold|',
  'Boucle Accent Chair, Ivory||Boucle Ottoman Ivory|Rivet',
  'Terracotta Planter 10" with Saucer|Petalworks|Petalworks 6in Terracotta Planter & Saucer|Petalworks',
  'Macramé Wall Hanging, 36"||Macrame Plant Hanger|',
  'Scented Soy Candle – Cedar & Fig|Wick House|Wick House Scented Soy Candle Vanilla|Wick House',
  'Marble Bookends, Pair||Marble Coasters|Threshold',
  'Rattan Pendant Light 16"|Lumenry|Lumenry Rattan Pendant Light 24"|Lumenry',
  'Velvet Curtain Panel 52x84, Forest||Velvet Curtain Panel 52x84 Blush|',
  'Velvet Curtain Panel 52x84, Forest||Velvet Curtain Panel 52x108 Forest|',
  'Framed Botanical Print, 16x20||Framed Abstract Canvas 24x36|Opalhouse',
  'Stoneware Dinner Plate, Speckled, Set of 4|Oak & Ember|Oak & Ember Stoneware Bowl Set|Oak & Ember',
  'Chunky Knit Throw Blanket 50x60|Knot & Thread|Knot & Thread Knit Pillow Cover|Knot & Thread',
  'KitchenAid Artisan Stand Mixer KSM150|KitchenAid|KitchenAid Hand Mixer KHM512|KitchenAid',
  'Sony WH1000XM4 Wireless Headphones Black|Sony|Sony WH1000XM5 Wireless Headphones Black|Sony',
  'Sony WH1000XM4 Wireless Headphones Black|Sony|Sony WH1000XM4 Wireless Headphones Silver|Sony',
  'LEGO City Fire Truck 60374|LEGO|LEGO City Police Station 60316|LEGO',
  'Hydro Flask Water Bottle 32 oz, Black|Hydro Flask|Hydro Flask Water Bottle 24 oz Black|Hydro Flask',
  'Yeti Rambler Tumbler 20oz Navy|YETI|YETI Rambler Tumbler 20oz Seafoam Coral|Yeti',
  'Instant Pot Duo 7-in-1 Pressure Cooker 6qt|Instant Pot|Instant Pot Vortex Air Fryer 6qt|Instant Pot',
  'Dyson V8 Cordless Vacuum|Dyson|Dyson Supersonic Hair Dryer|Dyson',
  'Dyson V8 Cordless Vacuum|Dyson|Dyson V11 Cordless Vacuum|Dyson',
  'Crayola Crayons 64 ct|Crayola|Crayola Markers 10 ct|Crayola',
  'Crayola Crayons 64 ct|Crayola|Crayola Crayons 24 ct|Crayola',
  "Nike Mens Running Shorts Black|Nike|Nike Women's Sports Bra Black|Nike",
  "Levis 501 Jeans Original Fit|Levi's|Levi's 511 Slim Fit Jeans|Levi's",
  'Philips Hue Bulb E27 White|Philips|Philips Sonicare Toothbrush White|Philips',
  'Logitech MX Master 3S Mouse|Logitech|Logitech MX Keys Keyboard|Logitech',
  'Barbie Dreamhouse Playset|Mattel|Hot Wheels Track Builder Playset|Mattel',
  'Le Creuset Dutch Oven 5.5 qt Cerise|Le Creuset|Le Creuset Braiser 3.5 qt Cerise|Le Creuset',
  'Oneida Flatware Set 45 pc|Oneida|Oneida Flatware Set 20 pc|Oneida',
  'Bath Towel Egyptian Cotton White|Fieldcrest|Fieldcrest Cotton Bath Rug White|Fieldcrest',
  'Duvet Cover Queen Linen Gray|Casaluna|Casaluna Sheet Set Queen Percale Gray|Casaluna',
  'Lodge Cast Iron Skillet 10.25"|Lodge|Lodge Cast Iron Skillet 12"|Lodge',
  'Stanley Quencher Tumbler 40oz Rose|Stanley|Stanley FatMax Tape Measure 25 ft|Stanley',
  'Moleskine Classic Notebook Large Black|Moleskine|Moleskine Weekly Planner Large Black|Moleskine',
  'Sharpie Permanent Markers Fine 12 ct|Sharpie|Sharpie Highlighters Chisel 12 ct|Sharpie',
  'GoPro HERO11 Action Camera|GoPro|GoPro HERO9 Action Camera|GoPro',
  'Brita Water Pitcher 10 cup|Brita|Brita Water Filter Replacement 3 ct|Brita',
  'Weber Spirit Gas Grill E310|Weber|Weber Grill Cover 7106|Weber',
  'Bodum Chambord Kaffeebereiter 1 l|Bodum|Bodum Pavina Gläser 2 Stück|Bodum',
  'Weihnachtskugeln Glas rot 12 Stück|Krebs|Weihnachtskugeln Glas blau 12 Stück|Krebs',
  'Tasse en porcelaine bleu|Revol|Assiette en porcelaine bleu|Revol',
  '白色台灯罩 布艺||黑色陶瓷花瓶 摆件|',
  'Bluetooth Speaker JBL Flip 6||Portable Charger 10000mAh|Anker',
  'Vase||Vase|',
  'Cotton T-Shirt||Cotton Socks 6 pack|Hanes',
  'Garden Hose 50 ft|Flexzilla|Air Hose 50 ft|Flexzilla',
  'Wireless Mouse|Dell|Wireless Mouse|HP',
  'Desk Lamp LED|Ikea|Dog Bed Medium|Petmate',
);

const product = ([title = '', vendor = '']: Pair) => ({ title, vendor });
const answerOf = ([, , title, brand]: Pair): SourceAnswer => ({
  title: title || null,
  brand: brand || null,
  description: null,
  category: null,
  images: ['https://pictures.example/1.jpg'],
  attribution: null,
  picturesNeedCredit: false,
});
const isTaken = (pair: Pair) =>
  judgeAnswer(product(pair), ['image'], answerOf(pair)).some(
    ({ field, reason }) => field === 'image' && reason === null,
  );

describe('pictures taken', () => {
  it('are of another product in at most 2 %', () => {
    const [right, wrong] = [same.filter(isTaken), other.filter(isTaken)];
    expect(same.length + other.length).toBeGreaterThanOrEqual(100);
    expect(wrong.length / (right.length + wrong.length), `wrong: ${wrong.join('; ')}`).toBeLessThanOrEqual(
      0.02,
    );
    const left = same.filter((pair) => !right.includes(pair));
    expect(left.length / same.length, `not taken: ${left.join('; ')}`).toBeLessThanOrEqual(0.1);
  });
});

describe('an answer', () => {
  const full: SourceAnswer = {
    title: 'Oak & Ember Mango Wood Serving Tray',
    brand: 'Oak & Ember',
    description: 'A tray.',
    category: 'Kitchen',
    images: ['https://pictures.example/1.jpg'],
    attribution: 'Open Products Facts, CC BY-SA 3.0',
    picturesNeedCredit: true,
  };
  const lacks = ['image', 'vendor', 'description', 'type'] as const;

  it('fills what is lacking and only proposes pictures that need a credit', () => {
    const judged = judgeAnswer({ title: 'Mango wood serving tray' }, lacks, full);
    expect(judged.map(({ field, reason }) => [field, reason])).toEqual([
      ['image', 'needs-credit'],
      ['vendor', null],
      ['description', null],
      ['type', null],
    ]);
  });

  it('never replaces a value, and proposes a brand that differs', () => {
    const values = { title: 'Oak & Ember mango wood serving tray', vendor: 'Import House' };
    expect(judgeAnswer(values, [], full)).toEqual([
      { field: 'vendor', value: 'Oak & Ember', before: 'Import House', reason: 'differs' },
    ]);
  });

  it('proposes everything for a product without a title', () => {
    const judged = judgeAnswer({ vendor: 'Oak & Ember' }, ['image'], full);
    expect(judged.map(({ field, reason }) => [field, reason])).toEqual(
      cellRows('image|nothing-to-compare', 'title|title'),
    );
  });

  it('is about another product when it says nothing that agrees', () => {
    expect(compareProducts({ title: 'Vase', vendor: 'A' }, { title: 'Vase', brand: 'B' })).toBe('other');
  });
});
