import { type CanonicalField, labelOf } from '../../base/canonical-fields.ts';
import type { SimpleFieldName } from '../../base/simple-fields.ts';

/**
 * The header names of a field. Case, diacritics, punctuation, '_' and spaces do not matter. Names with a number or a
 * word such as 'product' or 'variant' need no entry, because header mapping allows these next to a name.
 */
export type FieldNames = {
  /** Names that mean this field, best first, with '|' between them. */
  names?: string;
  /** Ambiguous names, or names of something similar, used only if the field has no better column. */
  standIns?: string;
};

/** WooCommerce's column names of options in other languages. '#' is the option's number. */
const wooOptions = {
  name: `nom de l attribut #|nombre del atributo #|nome do atributo #|nome dell attributo #|nome attributo #|naam attribuut #
    |attribuut # naam|variationsname #|optionsname #|nombre opcion #|nombre de la opcion #|nom option #|nom de l option #|nome opzione #
    |nome opcao #|nome da opcao #|optienaam #|optie # naam|alternativnavn #|nazwa opcji #|nazev varianty #|название опции #|имя опции #|attributname #|name des attributs #|attribut # name|nazwa atrybutu #|название атрибута #|имя атрибута #`,
  value: `valeur s de l attribut #|valeurs de l attribut #|valor es del atributo #|valores del atributo #|valor es do atributo #
    |valores do atributo #|valore dell attributo #|valori dell attributo #|valore i dell attributo #|waarde n attribuut #
    |waarden attribuut #|attribuut # waarde n|attributwert #|attributwerte #|wert e des attributs #|attribut # wert e
    |variationswert #|optionswert #|valor opcion #|valor de la opcion #|valeur option #|valeur de l option #|valore opzione #
    |valor opcao #|valor da opcao #|optiewaarde #|optie # waarde|alternativvaerdi #|wartosc opcji #|hodnota varianty #|значение опции #|wartosc i atrybutu #|wartosci atrybutu #|значение атрибута #|значения атрибута #`,
} as const;

/** Returns the names of a field, or its label if it has no entry. */
export const fieldNamesOf = (field: CanonicalField): FieldNames =>
  fieldNames[field] ?? { names: labelOf(field).toLowerCase() };

type OfFields = Record<Exclude<CanonicalField, SimpleFieldName>, FieldNames>;

const fieldNames: OfFields & Partial<Record<CanonicalField, FieldNames>> = {
  title: {
    names: `shopify title|title|product title|product name|item name|name|item title|listing title|listing name
      |article name|model name|display name|title short|title long|titolo|titel|titre|titulo|nome|nome prodotto|nombre|nombre del producto
      |nom|nom du produit|produktname|artikelname|artikelbezeichnung|bezeichnung|produkttitel|naam|productnaam
      |nazwa|nazwa produktu|nazev|otsikko|namn|produktnamn|navn|produktnavn|название|наименование
      |название товара|имя|varenavn|varebetegnelse|benämning|ürün adı|ürün ismi|stok adı
      |商品名称|商品名|产品名称|标题|商品标题|品名|名称|名稱|商品名稱|標題|タイトル|상품명|제품명|اسم المنتج`,
    standIns: `item description|item desc|product desc short|short title|designation|libelle|omschrijving|denominazione|denominacion
      |product|item|article|artikel|prodotto|produit|producto|produto|produkt|prodotti|produits|productos|produtos|produkte
      |headline|part description|part name|description of goods|goods description|goods|maktx|adı|ad`,
  },
  price: {
    names: `shopify price|scd sale price|variant price|price|price tax excluded|price tax included
      |price tax excluded or price tax included|tarif regulier|precio normal|preco normal|regularer preis|reguliere prijs|prezzo regolare|cena regularna|selling price|sales price|resale price|sell price|our price|unit price|price each
      |price per unit|retail selling price|regular price|standard price|sale price|current price|asking price|buy it now price
      |start price|starting price|precio|precio de venta|precio regular|prix|prix de vente|prix ttc|prezzo
      |prezzo di vendita|prezzo di listino|preis|verkaufspreis|vk preis|vk|bruttopreis|einzelpreis|stuckpreis|preco
      |preco de venda|prijs|verkoopprijs|cena|cena brutto|cena sprzedazy|hinta|pris|salgspris|försäljningspris
      |utpris|lst price|public price|customer price|consumer price|sell|selling|satış fiyatı|ürün fiyatı|birim fiyat|fiyat|fiyatı|цена|стоимость|价格|售价|单价|價格|售價|価格
      |販売価格|가격|판매가|السعر`,
    standIns: `unit retail|unit retail price|retail price|retail|orig retail|original retail|full retail|price retail|suggested retail|suggested retail price|sugg retail|retail value|msrp|mrp|rrp|uvp
      |list price|recommended retail price|rsp|srp|rate|sale rate|selling rate|liste fiyatı|original price|special price|offer price|promo price|discount price|final price|amount|value|cost|unit cost
      |cost price|cost per item|wholesale price|wholesale|net price|base price|worth|precio unitario|importe`,
  },
  sku: {
    names: `sku|variant sku|product sku|item sku|seller sku|merchant sku|sku code|sku number|sku id|stock keeping unit
      |product code|product code sku|custom label sku|custom label|item code|article number|article code|artikelnummer|artikel nr|art nr|artnr|ordernumber
      |order number|product number|productnumber|part number|part no|partnumber|model number|model no|supplier part number|modelnumber
      |style number|part id|internal reference|default code|interne referenz|interne referentie|référence interne|riferimento interno|referencia interna|reference|ref|referencia|riferimento|codice|codice articolo|codigo|code article|codigo de producto
      |artikelcode|kod produktu|kod towaru|nr katalogowy|numer katalogowy|indeks|varenr|varenummer|ürün kodu|stok kodu
      |ugs|custom sku|stock code|art no|artno|art number|cat number|catalogue number|our ref|our reference|артикул|код товара|货号|商品编码|商品编号|產品編號|品番|商品コード|상품코드`,
    standIns: `supplier sku|vendor sku|manufacturer sku|manufact sku|id|offer id|content id|unique id|product id|item id|listing id|variant id|distributor sku|supplier item|number|matnr|pzn|mpn|manufacturer part number|model
      |style code|identifier|catalog number|cat no|material number|material|code|код`,
  },
  upc: {
    names: `shopify upc|upc|barcode|variant barcode|product barcode|bar code|ean|gtin|upc code|upc number|upc ean|ean upc
      |ean code|ean 13|ean 8|gtin 14|gtin 13|gtin 12|upc a|upc gtin|gtin upc ean or isbn|gtin upc ean lub isbn|gtin upc ean oder isbn|gtin upc ean ou isbn|gtin upc ean o isbn|gtin upc ean of isbn|isbn|isbn 13
      |global trade item number|global trade number|code bars|barcode number|codice a barre|codigo de barras|code barres|code ean|barre code
      |strichcode|streepjescode|kod kreskowy|ean kod|stregkode|strekkode|streckkod|barkod
      |штрихкод|条码|条形码|條碼|バーコード|janコード|jan|바코드`,
  },
  description: {
    names: `enhanced description|description|product description|body html|body|long description|full description
      |description html|html description|detailed description|desc|listing description|item long description
      |description long|product details|details|long text|descrizione|descripcion|beschreibung|produktbeschreibung|artikelbeschreibung
      |langbeschreibung|descricao|beschrijving|opis|opis produktu|popis|beskrivning|beskrivelse|kuvaus|açıklama
      |ürün açıklaması|описание|描述|商品描述|产品描述|商品说明|详情|説明|商品説明|설명|상품설명|الوصف`,
    standIns: `short description|summary|product summary|seo description|item description|item desc
      |overview|features|specification|specifications|specs|info|information|bullet points|marketing copy|blurb|synopsis|about|kurzbeschreibung|descripcion corta|descrizione breve`,
  },
  vendor: {
    names: `shopify brand|upc brand|brand|brand name|vendor|manufacturer|supplier|vendor name|manufacturer name
      |supplier name|marca|marchio|fornitore|produttore|marke|hersteller|lieferant|marque|fabricant|fournisseur|merk
      |fabrikant|leverancier|proveedor|fabricante|marka|producent|dostawca|varumarke|tillverkare|varemærke
      |leverandør|firma adı|üretici|tedarikçi|бренд|производитель|品牌|供应商|品牌名称|制造商|ブランド|メーカー|브랜드|العلامة التجارية`,
    standIns: `maker|publisher|designer|mfr|mfg|make`,
  },
  quantity: {
    names: `qty|quantity|inventory qty|variant inventory qty|inventory quantity|variant inventory quantity|stock
      |stock quantity|stock qty|inventory|stock level|inventory level|inventory count|inventories|current stock
      |qty on hand|quantity on hand|on hand|on hand qty|available quantity|quantity available|available qty
      |qty available|stock on hand|units in stock|qty in stock|quantity in stock|stock count|on stock|total available|free stock|available to sell|ats|labst|stock available|available stock
      |current quantity|current stock level|quantity to sell on facebook|quantita|giacenza|cantidad
      |existencias|inventario|quantite|menge|anzahl|bestand|lagerbestand|stuckzahl|quantidade|estoque|aantal|voorraad
      |ilosc|stan magazynowy|mnozstvi|antal|antall|lager|lagersaldo|lagerbeholdning|maara|stok|stok miktarı|stok adedi
      |adet|miktar|количество|остаток|数量|库存|庫存|在庫|在庫数|수량|재고`,
    standIns: `units|pieces|pcs|piece count|in stock|available|count|total units|unit count|total quantity|total qty
      |remaining|disponibilita`,
  },
  type: {
    names: `product type|category|categories|product class|item type|category name|type|product category
      |product categories|main category|standard product type|custom product type|categoria|categorie
      |categoria prodotto|kategorie|kategorien|warengruppe|produkttyp|produktart|tipo di prodotto|tipo de producto
      |kategoria|categ id|categ|kategorier|kategori|produktkategori|produkttype|категория|类别|分类|商品分类|类目|類別|分類|カテゴリ|カテゴリー
      |카테고리|الفئة`,
    standIns: `subcategory|sub category|cat|department|sub department|dept|google product category|fb product category|collection|class|subclass
      |item category|item category code|category path|item group|category tree|taxonomy|product group|product line|section|gl description|group|groupe|gruppe|gruppo|groep|группа|genre|bisac`,
  },
  compareAtPrice: {
    names: `shopify compare price|compare price|compared price|ext retail|variant compare at price|compare at price
      |compare at|msrp|mrp|rrp|uvp|vejl pris|vejledende pris|veiledende pris
      |list price|was price|price was|old price|price old|original price|pseudoprice|pseudo price|strike price
      |recommended retail price|suggested retail price|suggested retail|msrp price|listenpreis|listino|prezzo listino|manufacturer suggested retail price|streichpreis
      |prezzo originale|precio original|prix barre|原价|原價|定価`,
    standIns: `unit retail|retail price|unit retail price|retail|rsp|srp|orig retail|original retail|full retail`,
  },
  cost: {
    names: `shopify cost|cost|price cost|cost per landed|landed cost|cost per item|unit cost|cost price|item cost|product cost
      |cost each|base cost|variant cost|unit wholesale price|purchase price|purchase rate|purchaseprice|buying price|buy price|wholesale price|wholesale cost|wholesale
      |default cost|dealer price|dealer|dealer net|dealer cost|nett|buying|buy|trade price|ws price|wsp|jobber|jobber price|trade|supply price|net cost|average cost|avg cost|avg price|last purchase price|last pur prc|last direct cost|stprs|landed price|kostpris|inköpspris|inpris|alış fiyatı|maliyet|سعر التكلفة|التكلفة
      |einkaufspreis|ek preis|ek|prix d achat|prezzo di acquisto|costo|costo unitario|coste
      |inkoopprijs|cena zakupu|себестоимость|成本|成本价|进价|仕入価格|원가`,
  },
  image: {
    names: `product image|image src|images|image|image url|image link|main image|primary image|image urls|image links
      |main image url|product image url|hosted image urls|picture|pictures|picture url|photo|photos|photo url|img|img url|img src|image 1
      |featured image|cover image|image source|variant image|image file|immagine|immagini|imagen|imagenes|bild|bilder
      |bild url|bild link|image produit|imagem|imagens|afbeelding|afbeeldingen|zdjecie|zdjecia|obrazek|kuva|bilde
      |görsel|ürün görseli|фото|изображение|图片|主图|商品图片|圖片|画像|商品画像|이미지`,
    standIns: `thumbnail|thumbnail url|thumb|additional image|additional image link|gallery|media|swatch image`,
  },
  moreImages: {},
  // The scanner sets dimensions, or the operator maps a column to them.
  dimensions: {},
  tags: {
    names: `tags|tag|product tags|etichette|etiquetas|schlagworte|etiketten|etykiety|labels|теги|标签|標籤|タグ|태그`,
    standIns: `keywords|search terms|search keywords|meta keywords|generic keywords|keyword`,
  },
  collections: {
    names: `collections|collection|product collection|custom collections|collezione|coleccion|kollektion`,
  },
  status: {
    names: `product status|status|listing status|item status|stato|estado|statut|状态|狀態|ステータス`,
    standIns: `published|active|enabled|is active|is published|visible`,
  },
  itemNumber: {
    names: `item number|item no|item nr|item num`,
  },
  tcin: { names: 'tcin' },
  origin: {
    names: `origin|coo|country of origin|country code of origin|origin country code|coo code|country region of origin code|country of origin code|country of manufacture|made in|made in country|origin country|country|herkunft|herkunftsland|ursprungsland
      |paese di origine|pays d origine|pais de origen|origine|原产地|产地|產地|原産国`,
  },
  seoTitle: {
    names: `seo title|meta title|page title|search engine title|seo titel|meta titel|meta titre|titre seo|titulo seo
      |meta titulo|meta titolo|titolo seo|metatitle|title tag|shopify seo title|yoast title|seitentitel|meta tag title`,
  },
  seoDescription: {
    names: `seo description|meta description|search engine description|seo beschreibung
      |meta beschreibung|meta descripcion|descripcion seo|description seo|descrizione seo|meta descrizione|metadescription
      |meta tag description`,
  },
  category: {
    names: `shopify category|shopify product category|product category|google product category|google category|google shopping google product category
      |google taxonomy|shopify taxonomy|taxonomy|standard product type|standardized product type|standard product category`,
  },
  hsCode: {
    names: `hs code|hs|hscode|hs tariff code|harmonized system code|harmonised system code|harmonized code|tariff code|tariff number
      |customs code|customs tariff number|commodity code|hts|hts code|hs number|zolltarifnummer|warennummer|warentarifnummer|taric
      |taric code|code sh|code hs|code douanier|codigo arancelario|partida arancelaria|codice doganale|nomenclature douaniere
      |intrastat|intrastat code|intrastat nummer|statistische warennummer|kod cn|cn code|variant hs code`,
  },
  pointOfSale: { names: 'point of sale' },
  trackQuantity: {
    names: `track quantity|track inventory|track stock|manage stock|variant inventory tracker|inventory tracker
      |inventory management|inventory tracked|inventory tracking|stock management`,
  },
  continueSelling: {
    names: `continue selling|continue selling when out of stock|variant inventory policy|inventory policy|backorders allowed
      |allow backorders|allow backorder|backorders|backorder|inventory backorderable|sell when out of stock`,
  },
  currency: {
    names: `currency|currency code|price currency|valuta|wahrung|devise|moneda|moeda|waluta|валюта|货币|幣別|通貨`,
  },
  weight: {
    names: `weight|variant weight|item weight|product weight|peso|gewicht|poids|waga|vikt|vekt|вес|重量|무게|variant grams
      |weight value grams`,
  },
  weightUnit: {
    names: `weight unit|variant weight unit|weight units|weight uom|weight unit of measure|unit of weight
      |gewichtseinheit|geweh|unite de poids|unidad de peso|unita di peso`,
  },
  handle: {
    names: `handle|handle id|product handle|url handle|slug|url key|url slug|product slug|permalink`,
    standIns: `product url`,
  },
  parentSku: {
    names: `parent sku|parent|parent id|parent product sku|parent item|parent item number|parent product id|item group id
      |itemgroupid|variation group|variant group id|group id|parent code|parent handle|master sku|master product sku|configurable sku|mainnumber`,
  },
  option1Name: option(1, 'name'),
  option1Value: option(1, 'value'),
  option2Name: option(2, 'name'),
  option2Value: option(2, 'value'),
  option3Name: option(3, 'name'),
  option3Value: option(3, 'value'),
};

function option(position: number, part: 'name' | 'value'): FieldNames {
  const words = part === 'name' ? ['name', 'title'] : ['value', 'values'];
  const inWords = ['one', 'two', 'three'][position - 1];
  const forms = [
    `option ${position} #`,
    `option # ${position}`,
    `option ${inWords} #`,
    `attribute ${position} #`,
    `variation ${position} #`,
    `variant option ${inWords} #`,
    `variant option ${position} #`,
  ];
  const names = forms.flatMap((form) => words.map((word) => form.replace('#', word)));
  return { names: [...names, wooOptions[part].replaceAll('#', `${position}`)].join('|') };
}
