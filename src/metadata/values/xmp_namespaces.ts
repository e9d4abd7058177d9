/**
 * Namespaces whose properties are read, by URI, with the prefixes used in paths here: XMP specification parts
 * 1 and 2, IPTC photo metadata 2023, CIPA DC-010, Metadata Working Group 2.0, and those of programs.
 */
export const NAMESPACES: ReadonlyMap<string, string> = new Map([
  ['http://www.w3.org/1999/02/22-rdf-syntax-ns#', 'rdf'],
  ['adobe:ns:meta/', 'x'],
  ['http://purl.org/dc/elements/1.1/', 'dc'],
  ['http://ns.adobe.com/xap/1.0/', 'xmp'],
  ['http://ns.adobe.com/xap/1.0/g/img/', 'xmpGImg'],
  ['http://ns.adobe.com/xap/1.0/mm/', 'xmpMM'],
  ['http://ns.adobe.com/xap/1.0/rights/', 'xmpRights'],
  ['http://ns.adobe.com/xap/1.0/sType/ResourceEvent#', 'stEvt'],
  ['http://ns.adobe.com/xap/1.0/sType/ResourceRef#', 'stRef'],
  ['http://ns.adobe.com/xmp/sType/Area#', 'stArea'],
  ['http://ns.adobe.com/tiff/1.0/', 'tiff'],
  ['http://ns.adobe.com/exif/1.0/', 'exif'],
  ['http://ns.adobe.com/exif/1.0/aux/', 'aux'],
  ['http://cipa.jp/exif/1.0/', 'exifEX'],
  ['http://ns.adobe.com/photoshop/1.0/', 'photoshop'],
  ['http://ns.adobe.com/camera-raw-settings/1.0/', 'crs'],
  ['http://ns.adobe.com/lightroom/1.0/', 'lr'],
  ['http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/', 'Iptc4xmpCore'],
  ['http://iptc.org/std/Iptc4xmpExt/2008-02-29/', 'Iptc4xmpExt'],
  ['http://ns.useplus.org/ldf/xmp/1.0/', 'plus'],
  ['http://www.metadataworkinggroup.com/schemas/regions/', 'mwg-rs'],
  ['http://ns.microsoft.com/photo/1.0/', 'MicrosoftPhoto'],
  ['http://ns.microsoft.com/photo/1.0', 'MicrosoftPhoto'],
  ['http://ns.microsoft.com/photo/1.2/', 'MP'],
  ['http://ns.microsoft.com/photo/1.2/t/RegionInfo#', 'MPRI'],
  ['http://ns.microsoft.com/photo/1.2/t/Region#', 'MPReg'],
  ['http://www.digikam.org/ns/1.0/', 'digiKam'],
  ['http://www.dji.com/drone-dji/1.0/', 'drone-dji'],
  ['http://www.gimp.org/xmp/', 'GIMP'],
]);

/** What the prefix of a namespace that is not in the list begins with, in paths. */
export const UNKNOWN = '?';

/** What prefixes mean that a packet uses without declaring them; `xap` is how `xmp` was called at first. */
export const USUAL_PREFIXES: ReadonlyMap<string, string> = new Map([
  ...[...NAMESPACES.values()].map((prefix) => [prefix, prefix] as const),
  ['xap', 'xmp'],
  ['xapMM', 'xmpMM'],
  ['xapRights', 'xmpRights'],
]);
