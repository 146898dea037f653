import Core

/// The color names of the X Window System (X.Org's server), which xterm accepts in place of RGB values.
enum ColorNames {
    /// Returns the color as 0xRRGGBB; nil for an unknown name.
    ///
    /// Case does not matter, and the spaces between words can be omitted.
    static func value(of name: ArraySlice<UInt8>) -> UInt32? {
        guard name.count <= lengthLimit else { return nil }
        let name = String(decoding: name, as: UTF8.self).lowercased().replacing("grey", with: "gray")
        return values[name] ?? grayLevel(name)
    }

    /// Longer than any name.
    private static let lengthLimit = 32

    /// `gray0` to `gray100`, in percent.
    private static func grayLevel(_ name: String) -> UInt32? {
        guard name.hasPrefix("gray"), let percent = UInt8(name.dropFirst(4)), percent <= 100,
            name == "gray\(percent)"
        else { return nil }
        return UInt32(Double(percent) * 2.55 + 0.5) * 0x01_0101
    }

    private static let values: [String: UInt32] = {
        var values: [String: UInt32] = [:]
        for entry in table.split(separator: ",") {
            guard let value = UInt32(entry.prefix(6), radix: 16) else { continue }
            let name = String(entry.dropFirst(7))
            values[name] = value
            values[name.replacing(" ", with: "")] = value
        }
        return values
    }()

    private static let table = """
        f0f8ff alice blue,faebd7 antique white,00ffff aqua,7fffd4 aquamarine,f0ffff azure,f5f5dc beige,ffe4c4 bisque,\
        000000 black,ffebcd blanched almond,0000ff blue,8a2be2 blue violet,a52a2a brown,deb887 burlywood,\
        5f9ea0 cadet blue,7fff00 chartreuse,d2691e chocolate,ff7f50 coral,6495ed cornflower blue,fff8dc cornsilk,\
        dc143c crimson,00ffff cyan,00008b dark blue,008b8b dark cyan,b8860b dark goldenrod,a9a9a9 dark gray,\
        006400 dark green,bdb76b dark khaki,8b008b dark magenta,556b2f dark olive green,ff8c00 dark orange,\
        9932cc dark orchid,8b0000 dark red,e9967a dark salmon,8fbc8f dark sea green,483d8b dark slate blue,\
        2f4f4f dark slate gray,00ced1 dark turquoise,9400d3 dark violet,ff1493 deep pink,00bfff deep sky blue,\
        696969 dim gray,1e90ff dodger blue,b22222 firebrick,fffaf0 floral white,228b22 forest green,ff00ff fuchsia,\
        dcdcdc gainsboro,f8f8ff ghost white,ffd700 gold,daa520 goldenrod,bebebe gray,00ff00 green,\
        adff2f green yellow,f0fff0 honeydew,ff69b4 hot pink,cd5c5c indian red,4b0082 indigo,fffff0 ivory,\
        f0e68c khaki,e6e6fa lavender,fff0f5 lavender blush,7cfc00 lawn green,fffacd lemon chiffon,add8e6 light blue,\
        f08080 light coral,e0ffff light cyan,eedd82 light goldenrod,fafad2 light goldenrod yellow,d3d3d3 light gray,\
        90ee90 light green,ffb6c1 light pink,ffa07a light salmon,20b2aa light sea green,87cefa light sky blue,\
        8470ff light slate blue,778899 light slate gray,b0c4de light steel blue,ffffe0 light yellow,00ff00 lime,\
        32cd32 lime green,faf0e6 linen,ff00ff magenta,b03060 maroon,66cdaa medium aquamarine,0000cd medium blue,\
        ba55d3 medium orchid,9370db medium purple,3cb371 medium sea green,7b68ee medium slate blue,\
        00fa9a medium spring green,48d1cc medium turquoise,c71585 medium violet red,191970 midnight blue,\
        f5fffa mint cream,ffe4e1 misty rose,ffe4b5 moccasin,ffdead navajo white,000080 navy,000080 navy blue,\
        fdf5e6 old lace,808000 olive,6b8e23 olive drab,ffa500 orange,ff4500 orange red,da70d6 orchid,\
        eee8aa pale goldenrod,98fb98 pale green,afeeee pale turquoise,db7093 pale violet red,ffefd5 papaya whip,\
        ffdab9 peach puff,cd853f peru,ffc0cb pink,dda0dd plum,b0e0e6 powder blue,a020f0 purple,663399 rebecca purple,\
        ff0000 red,bc8f8f rosy brown,4169e1 royal blue,8b4513 saddle brown,fa8072 salmon,f4a460 sandy brown,\
        2e8b57 sea green,fff5ee seashell,a0522d sienna,c0c0c0 silver,87ceeb sky blue,6a5acd slate blue,\
        708090 slate gray,fffafa snow,00ff7f spring green,4682b4 steel blue,d2b48c tan,008080 teal,d8bfd8 thistle,\
        ff6347 tomato,40e0d0 turquoise,ee82ee violet,d02090 violet red,808080 web gray,008000 web green,\
        800000 web maroon,800080 web purple,f5deb3 wheat,ffffff white,f5f5f5 white smoke,bebebe x11 gray,\
        00ff00 x11 green,b03060 x11 maroon,a020f0 x11 purple,ffff00 yellow,9acd32 yellow green,ffefdb antiquewhite1,\
        eedfcc antiquewhite2,cdc0b0 antiquewhite3,8b8378 antiquewhite4,7fffd4 aquamarine1,76eec6 aquamarine2,\
        66cdaa aquamarine3,458b74 aquamarine4,f0ffff azure1,e0eeee azure2,c1cdcd azure3,838b8b azure4,ffe4c4 bisque1,\
        eed5b7 bisque2,cdb79e bisque3,8b7d6b bisque4,0000ff blue1,0000ee blue2,0000cd blue3,00008b blue4,\
        ff4040 brown1,ee3b3b brown2,cd3333 brown3,8b2323 brown4,ffd39b burlywood1,eec591 burlywood2,\
        cdaa7d burlywood3,8b7355 burlywood4,98f5ff cadetblue1,8ee5ee cadetblue2,7ac5cd cadetblue3,53868b cadetblue4,\
        7fff00 chartreuse1,76ee00 chartreuse2,66cd00 chartreuse3,458b00 chartreuse4,ff7f24 chocolate1,\
        ee7621 chocolate2,cd661d chocolate3,8b4513 chocolate4,ff7256 coral1,ee6a50 coral2,cd5b45 coral3,\
        8b3e2f coral4,fff8dc cornsilk1,eee8cd cornsilk2,cdc8b1 cornsilk3,8b8878 cornsilk4,00ffff cyan1,00eeee cyan2,\
        00cdcd cyan3,008b8b cyan4,ffb90f darkgoldenrod1,eead0e darkgoldenrod2,cd950c darkgoldenrod3,\
        8b6508 darkgoldenrod4,caff70 darkolivegreen1,bcee68 darkolivegreen2,a2cd5a darkolivegreen3,\
        6e8b3d darkolivegreen4,ff7f00 darkorange1,ee7600 darkorange2,cd6600 darkorange3,8b4500 darkorange4,\
        bf3eff darkorchid1,b23aee darkorchid2,9a32cd darkorchid3,68228b darkorchid4,c1ffc1 darkseagreen1,\
        b4eeb4 darkseagreen2,9bcd9b darkseagreen3,698b69 darkseagreen4,97ffff darkslategray1,8deeee darkslategray2,\
        79cdcd darkslategray3,528b8b darkslategray4,ff1493 deeppink1,ee1289 deeppink2,cd1076 deeppink3,\
        8b0a50 deeppink4,00bfff deepskyblue1,00b2ee deepskyblue2,009acd deepskyblue3,00688b deepskyblue4,\
        1e90ff dodgerblue1,1c86ee dodgerblue2,1874cd dodgerblue3,104e8b dodgerblue4,ff3030 firebrick1,\
        ee2c2c firebrick2,cd2626 firebrick3,8b1a1a firebrick4,ffd700 gold1,eec900 gold2,cdad00 gold3,8b7500 gold4,\
        ffc125 goldenrod1,eeb422 goldenrod2,cd9b1d goldenrod3,8b6914 goldenrod4,00ff00 green1,00ee00 green2,\
        00cd00 green3,008b00 green4,f0fff0 honeydew1,e0eee0 honeydew2,c1cdc1 honeydew3,838b83 honeydew4,\
        ff6eb4 hotpink1,ee6aa7 hotpink2,cd6090 hotpink3,8b3a62 hotpink4,ff6a6a indianred1,ee6363 indianred2,\
        cd5555 indianred3,8b3a3a indianred4,fffff0 ivory1,eeeee0 ivory2,cdcdc1 ivory3,8b8b83 ivory4,fff68f khaki1,\
        eee685 khaki2,cdc673 khaki3,8b864e khaki4,fff0f5 lavenderblush1,eee0e5 lavenderblush2,cdc1c5 lavenderblush3,\
        8b8386 lavenderblush4,fffacd lemonchiffon1,eee9bf lemonchiffon2,cdc9a5 lemonchiffon3,8b8970 lemonchiffon4,\
        bfefff lightblue1,b2dfee lightblue2,9ac0cd lightblue3,68838b lightblue4,e0ffff lightcyan1,d1eeee lightcyan2,\
        b4cdcd lightcyan3,7a8b8b lightcyan4,ffec8b lightgoldenrod1,eedc82 lightgoldenrod2,cdbe70 lightgoldenrod3,\
        8b814c lightgoldenrod4,ffaeb9 lightpink1,eea2ad lightpink2,cd8c95 lightpink3,8b5f65 lightpink4,\
        ffa07a lightsalmon1,ee9572 lightsalmon2,cd8162 lightsalmon3,8b5742 lightsalmon4,b0e2ff lightskyblue1,\
        a4d3ee lightskyblue2,8db6cd lightskyblue3,607b8b lightskyblue4,cae1ff lightsteelblue1,bcd2ee lightsteelblue2,\
        a2b5cd lightsteelblue3,6e7b8b lightsteelblue4,ffffe0 lightyellow1,eeeed1 lightyellow2,cdcdb4 lightyellow3,\
        8b8b7a lightyellow4,ff00ff magenta1,ee00ee magenta2,cd00cd magenta3,8b008b magenta4,ff34b3 maroon1,\
        ee30a7 maroon2,cd2990 maroon3,8b1c62 maroon4,e066ff mediumorchid1,d15fee mediumorchid2,b452cd mediumorchid3,\
        7a378b mediumorchid4,ab82ff mediumpurple1,9f79ee mediumpurple2,8968cd mediumpurple3,5d478b mediumpurple4,\
        ffe4e1 mistyrose1,eed5d2 mistyrose2,cdb7b5 mistyrose3,8b7d7b mistyrose4,ffdead navajowhite1,\
        eecfa1 navajowhite2,cdb38b navajowhite3,8b795e navajowhite4,c0ff3e olivedrab1,b3ee3a olivedrab2,\
        9acd32 olivedrab3,698b22 olivedrab4,ffa500 orange1,ee9a00 orange2,cd8500 orange3,8b5a00 orange4,\
        ff4500 orangered1,ee4000 orangered2,cd3700 orangered3,8b2500 orangered4,ff83fa orchid1,ee7ae9 orchid2,\
        cd69c9 orchid3,8b4789 orchid4,9aff9a palegreen1,90ee90 palegreen2,7ccd7c palegreen3,548b54 palegreen4,\
        bbffff paleturquoise1,aeeeee paleturquoise2,96cdcd paleturquoise3,668b8b paleturquoise4,\
        ff82ab palevioletred1,ee799f palevioletred2,cd6889 palevioletred3,8b475d palevioletred4,ffdab9 peachpuff1,\
        eecbad peachpuff2,cdaf95 peachpuff3,8b7765 peachpuff4,ffb5c5 pink1,eea9b8 pink2,cd919e pink3,8b636c pink4,\
        ffbbff plum1,eeaeee plum2,cd96cd plum3,8b668b plum4,9b30ff purple1,912cee purple2,7d26cd purple3,\
        551a8b purple4,ff0000 red1,ee0000 red2,cd0000 red3,8b0000 red4,ffc1c1 rosybrown1,eeb4b4 rosybrown2,\
        cd9b9b rosybrown3,8b6969 rosybrown4,4876ff royalblue1,436eee royalblue2,3a5fcd royalblue3,27408b royalblue4,\
        ff8c69 salmon1,ee8262 salmon2,cd7054 salmon3,8b4c39 salmon4,54ff9f seagreen1,4eee94 seagreen2,\
        43cd80 seagreen3,2e8b57 seagreen4,fff5ee seashell1,eee5de seashell2,cdc5bf seashell3,8b8682 seashell4,\
        ff8247 sienna1,ee7942 sienna2,cd6839 sienna3,8b4726 sienna4,87ceff skyblue1,7ec0ee skyblue2,6ca6cd skyblue3,\
        4a708b skyblue4,836fff slateblue1,7a67ee slateblue2,6959cd slateblue3,473c8b slateblue4,c6e2ff slategray1,\
        b9d3ee slategray2,9fb6cd slategray3,6c7b8b slategray4,fffafa snow1,eee9e9 snow2,cdc9c9 snow3,8b8989 snow4,\
        00ff7f springgreen1,00ee76 springgreen2,00cd66 springgreen3,008b45 springgreen4,63b8ff steelblue1,\
        5cacee steelblue2,4f94cd steelblue3,36648b steelblue4,ffa54f tan1,ee9a49 tan2,cd853f tan3,8b5a2b tan4,\
        ffe1ff thistle1,eed2ee thistle2,cdb5cd thistle3,8b7b8b thistle4,ff6347 tomato1,ee5c42 tomato2,cd4f39 tomato3,\
        8b3626 tomato4,00f5ff turquoise1,00e5ee turquoise2,00c5cd turquoise3,00868b turquoise4,ff3e96 violetred1,\
        ee3a8c violetred2,cd3278 violetred3,8b2252 violetred4,ffe7ba wheat1,eed8ae wheat2,cdba96 wheat3,\
        8b7e66 wheat4,ffff00 yellow1,eeee00 yellow2,cdcd00 yellow3,8b8b00 yellow4
        """
}
