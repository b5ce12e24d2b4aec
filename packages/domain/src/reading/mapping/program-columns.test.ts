import { describe, expect, it } from 'vitest';
import { mappedColumns } from '../../testing/column-fields.ts';
import { mapHeaders } from './header-mapping.ts';

/** The columns that a program exports: its header and the field, '-' for none. */
type ProgramColumns = { program: string; source: string; columns: string; row?: string };

/**
 * The product exports of twelve shop, ERP and POS programs, in the order of the file. `source`: the documentation of
 * the columns, or 'not verified' where the list is from files and memory. A few columns that repeat a pattern are left
 * out.
 */
const programs: ProgramColumns[] = [
  {
    program: 'Shopify',
    source: 'help.shopify.com/en/manual/products/import-export/using-csv',
    columns: `Title=title|URL handle=handle|Description=description|Vendor=vendor|Product category=category|Type=type|Tags=tags
      |Published on online store=-|Status=status|SKU=sku|Barcode=upc|Option1 name=option1Name
      |Option1 value=option1Value|Option1 Linked To=-|Option2 name=option2Name|Option2 value=option2Value
      |Option2 Linked To=-|Option3 name=option3Name|Option3 value=option3Value|Option3 Linked To=-|Price=price
      |Compare-at price=compareAtPrice|Cost per item=cost|Charge tax=-|Tax code=-|Unit price total measure=-
      |Unit price total measure unit=-|Unit price base measure=-|Unit price base measure unit=-
      |Inventory tracker=trackQuantity|Inventory quantity=quantity
      |Continue selling when out of stock=continueSelling|Weight value (grams)=weight|Weight unit for display=-
      |Requires shipping=-|Fulfillment service=-|Product image URL=image|Image position=-|Image alt text=-
      |Variant image URL=moreImages|Gift card=-|SEO title=seoTitle|SEO description=seoDescription
      |Google Shopping / Google product category=-|Google Shopping / Gender=-|Google Shopping / Age group=-
      |Google Shopping / Manufacturer part number (MPN)=-|Google Shopping / Ad group name=-
      |Google Shopping / Ads labels=-|Google Shopping / Condition=-|Google Shopping / Custom product=-
      |Google Shopping / Custom label 0=-`,
  },
  {
    program: 'Shopify, names until 2024',
    source: 'help.shopify.com/en/manual/products/import-export/using-csv (earlier version)',
    columns: `Handle=handle|Title=title|Body (HTML)=description|Vendor=vendor|Product Category=category|Type=type|Tags=tags
      |Published=-|Option1 Name=option1Name|Option1 Value=option1Value|Option2 Name=option2Name
      |Option2 Value=option2Value|Option3 Name=option3Name|Option3 Value=option3Value|Variant SKU=sku
      |Variant Grams=weight|Variant Inventory Tracker=trackQuantity|Variant Inventory Qty=quantity
      |Variant Inventory Policy=continueSelling|Variant Fulfillment Service=-|Variant Price=price
      |Variant Compare At Price=compareAtPrice|Variant Requires Shipping=-|Variant Taxable=-|Variant Barcode=upc
      |Image Src=image|Image Position=-|Image Alt Text=-|Gift Card=-|SEO Title=seoTitle|SEO Description=seoDescription
      |Google Shopping / Google Product Category=-|Google Shopping / MPN=-
      |Google Shopping / Custom Label 0=-|Variant Image=moreImages
      |Variant Weight Unit=weightUnit|Variant Tax Code=-|Cost per item=cost|Included / International=-
      |Price / International=-|Compare At Price / International=-|Status=status`,
  },
  {
    program: 'WooCommerce',
    source: 'github.com/woocommerce/woocommerce/wiki/Product-CSV-Import-Schema',
    columns: `ID=-|Type=-|SKU=sku|GTIN, UPC, EAN, or ISBN=upc|Name=title|Published=status|Is featured?=-
      |Visibility in catalog=-|Short description=-|Description=description|Date sale price starts=-
      |Date sale price ends=-|Tax status=-|Tax class=-|In stock?=-|Stock=quantity|Low stock amount=-
      |Backorders allowed?=continueSelling|Sold individually?=-|Weight (kg)=weight|Length (cm)=-|Width (cm)=-
      |Height (cm)=-|Allow customer reviews?=-|Purchase note=-|Sale price=-|Regular price=price|Categories=type
      |Tags=tags|Shipping class=-|Images=image|Download limit=-|Download expiry days=-|Parent=parentSku
      |Grouped products=-|Upsells=-|Cross-sells=-|External URL=-|Button text=-|Position=-|Brands=vendor
      |Attribute 1 name=option1Name|Attribute 1 value(s)=option1Value|Attribute 1 visible=-|Attribute 1 global=-`,
    row: `101|simple|TR-01|4006381333931|Garden trowel|1|0|visible|Steel trowel.|A trowel of forged steel.|||taxable||1|14||0|0|0.4|30|8|5|1|||19.90|Garden > Tools|steel||https://img.shop.example/tr.jpg|||||||||0|Holt|Size|Small|1|1`,
  },
  {
    program: 'Adobe Commerce (Magento)',
    source: 'experienceleague.adobe.com/docs/commerce-admin/systems/data-transfer/data-attributes-product',
    columns: `sku=sku|store_view_code=-|attribute_set_code=-|product_type=-|categories=type|product_websites=-|name=title
      |description=description|short_description=-|weight=weight|product_online=-|tax_class_name=-|visibility=-
      |price=price|special_price=-|special_price_from_date=-|special_price_to_date=-|url_key=handle|meta_title=seoTitle
      |meta_keywords=tags|meta_description=seoDescription|base_image=image|base_image_label=-|small_image=moreImages
      |small_image_label=-|thumbnail_image=moreImages|thumbnail_image_label=-|created_at=-|updated_at=-
      |new_from_date=-|new_to_date=-|display_product_options_in=-|map_price=-|msrp_price=compareAtPrice
      |map_enabled=-|gift_message_available=-|country_of_manufacture=origin|additional_attributes=-|qty=quantity
      |out_of_stock_qty=-|use_config_min_qty=-|is_qty_decimal=-|allow_backorders=continueSelling
      |use_config_backorders=-|min_cart_qty=-|use_config_min_sale_qty=-|max_cart_qty=-|is_in_stock=-
      |notify_on_stock_below=-|manage_stock=trackQuantity|qty_increments=-|website_id=-|related_skus=-
      |crosssell_skus=-|upsell_skus=-|additional_images=moreImages|additional_image_labels=-
      |configurable_variations=-|configurable_variation_labels=-|bundle_price_type=-|bundle_sku_type=-
      |bundle_price_view=-|associated_skus=-`,
    row: `MUG-1||Default|simple|Default Category/Kitchen/Mugs|base|Enamel mug|A mug for the camp fire.|Enamel mug.|0.3|1
      |Taxable Goods|Catalog, Search|14.00||||enamel-mug||||/m/u/mug.jpg||/m/u/mug.jpg||/m/u/mug.jpg||1/7/25, 9:00 AM
      |1/7/25, 9:00 AM|||Block after Info Column||18.00||||has_options=0|35.0000|0.0000|1|0|0|1|1.0000|1|10000.0000|1
      |1.0000|1|1.0000|0|||||||||||`,
  },
  {
    program: 'PrestaShop',
    source: 'docs.prestashop-project.org (CSV import fields of products; not verified)',
    columns: `Product ID=-|Active (0/1)=status|Name *=title|Categories (x,y,z...)=type|Price tax excluded=price|Tax rules ID=-
      |Wholesale price=cost|On sale (0/1)=-|Discount amount=-|Discount percent=-|Discount from (yyyy-mm-dd)=-
      |Discount to (yyyy-mm-dd)=-|Reference #=sku|Supplier reference #=-|Supplier=-|Manufacturer=vendor|EAN13=upc
      |UPC=-|MPN=-|Ecotax=-|Width=-|Height=-|Depth=-|Weight=weight|Quantity=quantity|Minimal quantity=-
      |Low stock level=-|Visibility=-|Additional shipping cost=-|Unity=-|Unit price=-|Summary=-
      |Description=description|Tags (x,y,z...)=tags|Meta title=seoTitle|Meta keywords=-|Meta description=seoDescription
      |URL rewritten=-|Text when in stock=-|Text when backorder allowed=-|Available for order (0 = No, 1 = Yes)=-
      |Product available date=-|Product creation date=-|Show price (0 = No, 1 = Yes)=-
      |Image URLs (x,y,z...)=image|Image alt texts (x,y,z...)=-|Delete existing images (0 = No, 1 = Yes)=-
      |Feature(Name:Value:Position)=-|Condition=-|ID / Name of shop=-|Warehouse=-`,
    row: `7|1|Oak stool|Home, Stools|79.00|1|31.50|0|||||OS-1|HV-77|Havn|Nordtre|7090011223015|||0|40|45|40|4.2|12|1|2|both|0|||Low stool.
      |A stool of oiled oak.|oak, stool|||||||1|||1|https://img.shop.example/os.jpg||0||new|1|0`,
  },
  {
    program: 'BigCommerce',
    source: 'support.bigcommerce.com/s/article/Importing-Exporting-Products',
    columns: `Item Type=-|Product ID=-|Product Name=title|Product Type=-|Product Code/SKU=sku|Bin Picking Number=-
      |Brand Name=vendor|Option Set=-|Option Set Align=-|Product Description=description|Price=price
      |Cost Price=cost|Retail Price=compareAtPrice|Sale Price=-|Fixed Shipping Cost=-|Free Shipping=-
      |Product Warranty=-|Product Weight=weight|Product Width=-|Product Height=-|Product Depth=-
      |Allow Purchases?=-|Product Visible?=status|Product Availability=-|Track Inventory=trackQuantity
      |Current Stock Level=quantity|Low Stock Level=-|Category=type|Product Image ID - 1=-
      |Product Image File - 1=image|Product Image Description - 1=-|Product Image Sort - 1=-|Search Keywords=tags
      |Page Title=seoTitle|Meta Keywords=-|Meta Description=seoDescription|Product Condition=-|Sort Order=-|Product Tax Class=-
      |Product UPC/EAN=upc|Product URL=handle|GPS Manufacturer Part Number=-`,
    row: `Product|77|Canvas tote|P|TOTE-1||Harbour||Right|A sturdy tote bag.|32.00|11.50|40.00||0|N||0.5|10|40|5|Y|Y||by product
      |12|2|Bags|91|tote.jpg||0|tote, bag||||New|0||4006381333931|/canvas-tote/|HB-1`,
  },
  {
    program: 'Wix',
    source: 'support.wix.com (not verified: from exported files)',
    columns: `handleId=handle|fieldType=-|name=title|description=description|productImageUrl=image|collection=type|sku=sku
      |ribbon=-|price=price|surcharge=-|visible=status|discountMode=-|discountValue=-|inventory=quantity|weight=weight
      |cost=cost|productOptionName1=option1Name|productOptionType1=-|productOptionDescription1=-
      |additionalInfoTitle1=-|additionalInfoDescription1=-|customTextField1=-|customTextCharLimit1=-
      |customTextMandatory1=-|brand=vendor`,
  },
  {
    program: 'Squarespace',
    source: 'support.squarespace.com (not verified: from exported files)',
    columns: `Product ID [Non Editable]=-|Variant ID [Non Editable]=-|Product Type [Non Editable]=-|Product Page=-
      |Product URL=handle|Title=title|Description=description|SKU=sku|Option Name 1=option1Name
      |Option Value 1=option1Value|Option Name 2=option2Name|Option Value 2=option2Value|Price=price|Sale Price=-
      |On Sale=-|Stock=quantity|Categories=type|Tags=tags|Weight=weight|Length=-|Width=-|Height=-|Visible=status
      |Hosted Image URLs=image`,
    row: `5f1c0a2b|7ab|PHYSICAL|shop|canvas-tote|Canvas tote|<p>A sturdy tote.</p>|TOTE-1|Colour|Sand|||32.00|0.00|No|12
      |Bags|tote|0.5|10|40|5|Yes|https://images.squarespace-cdn.example/tote.jpg`,
  },
  {
    program: 'Square',
    source: 'squareup.com/help (not verified: from exported files)',
    columns: `Reference Handle=-|Token=-|Item Name=title|Customer-facing Name=-|Variation Name=-|Unit and Precision=-|SKU=sku
      |Description=description|Categories=type|Reporting Category=-|SEO Title=seoTitle|SEO Description=seoDescription
      |Permalink=handle|GTIN=upc|Square Online Item Visibility=-|Item Type=-|Weight (lb)=weight
      |Social Media Link Title=-|Shipping Enabled=-|Pickup Enabled=-|Price=price|Online Sale Price=-|Archived=-
      |Sellable=-|Contains Alcohol=-|Stockable=-|Option Name 1=option1Name|Option Value 1=option1Value
      |Default Unit Cost=cost|Default Vendor Name=vendor|Default Vendor Code=-|Enabled Main Street=-
      |Current Quantity Main Street=quantity|New Quantity Main Street=-|Stock Alert Enabled Main Street=-
      |Stock Alert Count Main Street=-|Tax - Sales Tax (8.25%)=-`,
  },
  {
    program: 'Lightspeed Retail, X-Series',
    source: 'x-series-support.lightspeedhq.com (not verified: from exported files)',
    columns: `id=-|handle=handle|sku=sku|composite_handle=-|composite_sku=-|composite_quantity=-|name=title
      |description=description|product_category=type|variant_option_one_name=option1Name
      |variant_option_one_value=option1Value|variant_option_two_name=option2Name
      |variant_option_two_value=option2Value|tags=tags|supply_price=cost|retail_price=price|loyalty_value=-
      |loyalty_value_default=-|account_code=-|account_code_purchase=-|brand_name=vendor|supplier_name=-
      |supplier_code=-|active=status|track_inventory=trackQuantity|inventory_Main_Outlet=quantity
      |reorder_point_Main_Outlet=-|restock_level_Main_Outlet=-`,
  },
  {
    program: 'Lightspeed Retail, R-Series',
    source: 'retail-support.lightspeedhq.com (not verified: from exported files)',
    columns: `System ID=-|UPC=upc|EAN=-|Custom SKU=sku|Manufact. SKU=-|Item=title|Remaining=quantity|Price=price|Default Cost=cost
      |Average Cost=-|Tax=-|Brand=vendor|Publish to eCom=-|Season=-|Department=-|MSRP=compareAtPrice|Tax Class=-
      |Default Vendor Name=-|Vendor ID=-|Category=type|Subcategory 1=-`,
  },
  {
    program: 'Odoo, field names',
    source: 'odoo.com/documentation (fields of product.template; names found in public code)',
    columns: `id=-|default_code=sku|name=title|list_price=price|standard_price=cost|categ_id=type|categ_id/id=-|type=-
      |detailed_type=-|barcode=upc|qty_available=quantity|virtual_available=-|uom_id=-|uom_po_id=-|sale_ok=-
      |purchase_ok=-|description_sale=description|weight=weight|image_1920=image|active=status`,
    row: `product_1|CH-1|Office chair|249.0|132.5|All / Saleable / Chairs|product.cat_3|consu|product|5411223311098|18.0|24.0|Units
      |Units|True|True|A chair for long days.|11.0||True`,
  },
  {
    program: 'Odoo, labels',
    source: 'odoo.com/documentation (product import template; not verified)',
    columns: `External ID=-|Internal Reference=sku|Name=title|Sales Price=price|Cost=cost|Product Category=type|Product Type=-
      |Barcode=upc|Quantity On Hand=quantity|Forecasted Quantity=-|Unit of Measure=-|Purchase Unit of Measure=-
      |Can be Sold=-|Can be Purchased=-|Sales Description=description|Weight=weight|Active=status`,
    row: `__export__.product_template_9|CH-1|Office chair|249.0|132.5|All / Saleable / Chairs|consu|5411223311098|18.0|24.0|Units|Units
      |True|True|A chair for long days.|11.0|True`,
  },
  {
    program: 'SAP Business One, field names',
    source: 'help.sap.com (table OITM; prices of ITM1; not verified)',
    columns: `ItemCode=sku|ItemName=title|FrgnName=-|ItmsGrpCod=-|CodeBars=upc|VATLiable=-|PrchseItem=-|SellItem=-|InvntItem=-
      |OnHand=quantity|IsCommited=-|OnOrder=-|MaxLevel=-|MinLevel=-|CardCode=-|SuppCatNum=-|BuyUnitMsr=-
      |NumInBuy=-|SalUnitMsr=-|AvgPrice=cost|LastPurPrc=-|LstEvlPric=-|PriceList=-|Price=price|Currency=currency
      |SWeight1=-|ManSerNum=-|validFor=-|frozenFor=-|DocEntry=-`,
    row: `A-12|Hand truck 150 kg|Sackkarre|104|7612345000129|Y|Y|Y|Y|14.000000|2.000000|0.000000|40.000000|5.000000|V10007|TR150|pc|1.000000|pc
      |101.430000|104.000000|102.000000|1|189.000000|EUR|12.500000|N|Y|N|812`,
  },
  {
    program: 'SAP Business One, labels',
    source: 'help.sap.com (Item Master Data; not verified as a file)',
    columns: `Item No.=itemNumber|Item Description=title|Foreign Name=-|Item Group=type|Bar Code=upc|Price List=-|Unit Price=price
      |In Stock=quantity|Committed=-|Ordered=-|Available=-|Item Cost=cost|Last Purchase Price=-|Preferred Vendor=-
      |Mfr Catalog No.=-|Manufacturer=vendor|Inventory UoM=-|Active=status`,
    row: `A-12|Hand truck 150 kg|Sackkarre|Transport|7612345000129|1|189.00|14|2|0|12|101.43|104.00|V10007|TR150|Karro|pc|Y`,
  },
  {
    program: 'Dynamics 365 Business Central',
    source: 'learn.microsoft.com/dynamics365/business-central (table Item; not verified)',
    columns: `No.=sku|Description=title|Description 2=description|Type=-|Inventory=quantity|Base Unit of Measure=-|Unit Cost=cost
      |Unit Price=price|Costing Method=-|Standard Cost=-|Last Direct Cost=-|Item Category Code=type|Vendor No.=-
      |Vendor Item No.=-|GTIN=upc|Tariff No.=hsCode|Country/Region of Origin Code=origin|Gross Weight=weight|Net Weight=-
      |Lead Time Calculation=-|Reorder Point=-|Price/Profit Calculation=-|Profit %=-|Gen. Prod. Posting Group=-
      |Inventory Posting Group=-|Blocked=-|Search Description=-|Item Disc. Group=-|Shelf No.=-
      |Common Item No.=-|Last Date Modified=-`,
    row: `1000|Acoustic panel grey|60 cm|Inventory|140|PCS|9.85|24.90|FIFO|0.00|9.80|PANELS|40010|77104|4034007000578|94039000|DE|1.2
      |1.1||20|Profit=Price-Cost|60.4|RETAIL|RESALE|No|ACOUSTIC PANEL GREY||A-14||2025-01-07`,
  },
  {
    program: 'NetSuite',
    source: 'docs.oracle.com/en/cloud/saas/netsuite (item search; not verified as a file)',
    columns: `Internal ID=-|Name=-|Display Name=title|Sales Description=description|Type=-|Base Price=price
      |Purchase Price=cost|Average Cost=-|Available=quantity|UPC Code=upc|Preferred Vendor=vendor|Inactive=-`,
    row: `4471|TNT-2P-GRN|Two-person tent green|Freestanding tent, 1.9 kg.|Inventory Item|329.00|158.00|157.22|41|810022110018
      |Highmark Fabrics|No`,
  },
];

const cells = (text: string) => text.split('|').map((cell) => cell.trim());

describe('product exports of programs', () => {
  it.each(programs)('$program', ({ columns, row }) => {
    const all = cells(columns).join('|');
    if (row === undefined) return expect(mappedColumns(all)).toBe(all);
    expect(cells(row)).toHaveLength(cells(columns).length);
    const rows = Array<string>(3).fill(cells(row).join('|'));
    expect(mappedColumns(all, ...rows)).toBe(all);
  });
});

it.each([
  ['Nom', 'Tarif régulier', 'Nom de l’attribut 1', 'Valeur(s) de l’attribut 1'],
  ['Nombre', 'Precio normal', 'Nombre del atributo 1', 'Valor(es) del atributo 1'],
  ['Nome', 'Preço normal', 'Nome do atributo 1', 'Valor(es) do atributo 1'],
  ['Name', 'Regulärer Preis', 'Attribut 1 Name', 'Attribut 1 Wert(e)'],
  ['Naam', 'Reguliere prijs', 'Attribuut 1 naam', 'Attribuut 1 waarde(n)'],
])('WooCommerce names its columns %s, %s, %s and %s', (title, price, name, value) => {
  const { sources } = mapHeaders(['Type', 'UGS', title, 'Stock', price, 'Parent', name, value]);
  expect(sources).toMatchObject({
    title: [2],
    price: [4],
    parentSku: [5],
    option1Name: [6],
    option1Value: [7],
  });
});
