"""Ways to hide a word in a mail, and what looks like hiding and is seen."""

HIDING = {
    "display": '<div style="display:none">MARK</div>',
    "display, important": '<div style="display: none !important; mso-hide:all">MARK</div>',
    "display in capitals": '<DIV STYLE="DISPLAY : NONE">MARK</DIV>',
    "display behind a comment of CSS": '<div style="display/**/:/**/none">MARK</div>',
    "display written with an escape": r'<div style="d\69splay:none">MARK</div>',
    "display of the parent": '<div style="display:none"><p><b>MARK</b></p></div>',
    "visibility": '<p style="visibility:hidden">MARK</p>',
    "visibility of the parent": '<p style="visibility:collapse"><i>MARK</i></p>',
    "opacity": '<p style="opacity:0">MARK</p>',
    "opacity in percent": '<p style="opacity:2%">MARK</p>',
    "faint in a faint parent": '<div style="opacity:.3"><p style="opacity:.2">MARK</p></div>',
    "size 0": '<span style="font-size:0">MARK</span>',
    "size 1px": '<span style="font-size:1px">MARK</span>',
    "size in em": '<span style="font-size:.01em">MARK</span>',
    "size in percent of a small size": (
        '<div style="font-size:10px"><b style="font-size:10%">MARK</b></div>'
    ),
    "size by font": '<span style="font:0/0 a">MARK</span>',
    "size by calc": '<span style="font-size:calc(1px - 1px)">MARK</span>',
    "height 0": '<div style="height:0;overflow:hidden">MARK</div>',
    "max-height 0": '<div style="max-height:0px;overflow:hidden">MARK</div>',
    "width 0": '<div style="width:0;overflow:hidden">MARK</div>',
    "a box of one pixel": (
        '<span style="position:absolute;width:1px;height:1px;overflow:hidden;'
        'clip:rect(0,0,0,0)">MARK</span>'
    ),
    "max-width 0 of an inline block": (
        '<span style="display:inline-block;max-width:0;overflow:hidden">MARK</span>'
    ),
    "line-height 0": '<div style="line-height:0;overflow:hidden">MARK</div>',
    "off the left": '<div style="position:absolute;left:-9999px">MARK</div>',
    "off the top": '<div style="position:fixed;top:-200em">MARK</div>',
    "off by inset": '<div style="position:absolute;inset:0 0 0 -9999px">MARK</div>',
    "off the right": '<div style="position:absolute;left:99999px">MARK</div>',
    "off by relative": '<div style="position:relative;left:-5000px">MARK</div>',
    "off by margin": '<div style="margin-left:-9999px">MARK</div>',
    "off by the margins": '<div style="margin:-9999px 0 0 0">MARK</div>',
    "text-indent": '<p style="text-indent:-9999px">MARK</p>',
    "text-indent of the parent": '<div style="text-indent:-999em"><p>MARK</p></div>',
    "letters over each other": '<p style="letter-spacing:-1em">MARK</p>',
    "clip": '<div style="position:absolute;clip:rect(1px 1px 1px 1px)">MARK</div>',
    "clip-path inset": '<div style="clip-path:inset(100%)">MARK</div>',
    "clip-path circle": '<div style="clip-path:circle(0)">MARK</div>',
    "clip-path polygon": '<div style="clip-path:polygon(0 0, 0 0, 0 0)">MARK</div>',
    "scale": '<div style="transform:scale(0)">MARK</div>',
    "scale of one side": '<div style="transform: translate(0) scaleY(0)">MARK</div>',
    "moved away": '<div style="transform:translateX(-9999px)">MARK</div>',
    "turned away": '<div style="transform:rotateY(90deg)">MARK</div>',
    "matrix": '<div style="-webkit-transform:matrix(0,0,0,0,0,0)">MARK</div>',
    "filter": '<div style="filter:opacity(0%)">MARK</div>',
    "Outlook only": '<p style="mso-hide:all">MARK</p>',
    "hidden": "<p hidden>MARK</p>",
    "until found": '<p hidden="until-found">MARK</p>',
    "a popover": "<div popover>MARK</div>",
    "a closed dialog": "<dialog>MARK</dialog>",
    "a template": "<template><p>MARK</p></template>",
    "a frame's other text": "<iframe>MARK</iframe>",
    "choices nobody opened": "<datalist><option>MARK</option></datalist>",
    "white": '<p style="color:white">MARK</p>',
    "white in short": '<p style="color:#FFF">MARK</p>',
    "nearly white": '<p style="color:#f4f4f4">MARK</p>',
    "rgb": '<p style="color:rgb(255, 255, 255)">MARK</p>',
    "hsl": '<p style="color:hsl(0 0% 100%)">MARK</p>',
    "white by the tag font": '<font color="#FFFFFF">MARK</font>',
    "white by an old colour": "<font color=ffffff>MARK</font>",
    "formatting that goes on, closed late": ('<p><b style="font-size:0">.</p><p>MARK</p></b><p>'),
    "formatting that goes on in the next cell's paragraph": (
        "<table><tr><td><p><font color=white>.</p><p>MARK</td></tr></table>"
    ),
    "white in a white cell": (
        '<table bgcolor="#000"><tr><td bgcolor="white" style="color:#fefefe">MARK</td></tr></table>'
    ),
    "black on black": '<div style="background:#000"><p>MARK</p></div>',
    "its own background": '<p style="color:#123456;background-color:#123456">MARK</p>',
    "transparent": '<p style="color:transparent">MARK</p>',
    "alpha": '<p style="color:rgba(0,0,0,.03)">MARK</p>',
    "alpha in hex": '<p style="color:#00000005">MARK</p>',
    "fill": '<p style="-webkit-text-fill-color:#fff">MARK</p>',
    "a gradient of whites": (
        '<p style="color:#fff;background-image:linear-gradient(#fff,#fefefe)">MARK</p>'
    ),
    "dark told of a div, which is white": '<div bgcolor="black" style="color:white">MARK</div>',
    "white by oklch": '<p style="color:oklch(100% 0 0)">MARK</p>',
    "on a dark cell outside a table, which is nothing": (
        '<td bgcolor="black"><font color="white">MARK</font></td>'
    ),
    "a form in a list that is hidden": "<ul hidden><form>MARK</form></ul>",
    "between the cells of a dark table, so outside it": (
        '<table bgcolor="black"><tr><font color="white">MARK</font></tr></table>'
    ),
    "an end tag that ends nothing": "<span hidden><div></span>MARK</div></span>",
    "a class": "<style>.x{display:none}</style><p class='a x'>MARK</p>",
    "an id": "<style>#x{display:none}</style><p id=x>MARK</p>",
    "a tag": "<style>h6{font-size:0}</style><h6>MARK</h6>",
    "a descendant": "<style>.x p b{color:#fff}</style><div class=x><p><i><b>MARK</b></i></p></div>",
    "a child": "<style>.x > p{display:none}</style><div class=x><p>MARK</p></div>",
    "a sibling": "<style>i + p{display:none}</style><i>.</i><p>MARK</p>",
    "an attribute": '<style>[lang|=en]{display:none}</style><p lang="en-GB">MARK</p>',
    "the start of an attribute": '<style>p[class^="k"]{opacity:0}</style><p class="kk">MARK</p>',
    "a place": "<style>p:nth-child(2){display:none}</style><div><p>.</p><p>MARK</p></div>",
    "a negation": "<style>h5:not(.y){display:none}</style><h5 class=x>MARK</h5>",
    "any of": "<style>:is(h1,.x){display:none}</style><p class=x>MARK</p>",
    "the stronger rule": (
        "<style>#x{display:none} .x{display:block}</style><p class=x id=x>MARK</p>"
    ),
    "the later rule": "<style>.x{color:red} .x{color:#fff}</style><p class=x>MARK</p>",
    "an important rule": (
        '<style>.x{display:none!important}</style><p class=x style="display:block">MARK</p>'
    ),
    "a rule for screens": ("<style>@media screen{.x{display:none}}</style><p class=x>MARK</p>"),
    "a rule for wide screens": (
        "<style>@media (min-width:600px){.x{display:none}}</style><p class=x>MARK</p>"
    ),
    "a rule for screens up to any width": (
        "<style>@media (max-width:99999px){.x{display:none}}</style><p class=x>MARK</p>"
    ),
    "a rule behind @supports": (
        "<style>@supports (display:grid){.x{display:none}}</style><p class=x>MARK</p>"
    ),
    "a nested rule": "<style>.x{p{display:none}}</style><div class=x><p>MARK</p></div>",
    "a variable": "<style>:root{--d:none}</style><p style='display:var(--d)'>MARK</p>",
    "a rule behind a broken one": (
        "<style>.y{color:;;*zoom:1;!} @bogus; .x{display:none}</style><p class=x>MARK</p>"
    ),
    "a style in the body": "<div><style>.x{display:none}</style></div><p class=x>MARK</p>",
    "a rule in a comment of HTML": ("<style><!-- .x{display:none} --></style><p class=x>MARK</p>"),
    "a colour that is no colour": '<p style="color:#fff;color:#nothing">MARK</p>',
    "a picture's other text": '<div style="display:none"><img src=x alt="MARK"></div>',
    "a picture of one pixel": '<img src="x" width="1" height="1" alt="MARK">',
    "formatting that goes on": "<p><font color=white>.</p><p><span>MARK</span></p></font>",
}
"""Each holds MARK where nobody sees it."""

NEVER_TEXT = {
    "a comment": "<!-- MARK -->",
    "a comment for Outlook": "<!--[if mso]><p>MARK</p><![endif]-->",
    "a script": "<script>var a = 'MARK'</script>",
    "a style": "<style>.x{content:'MARK'}</style>",
    "a title": "<title>MARK</title>",
    "a field that is not shown": '<input type="hidden" value="MARK">',
    "a tooltip": '<p title="MARK">.</p>',
}
"""Markup: cut, and not counted, or each newsletter would be said to hide something."""

SEEN = {
    "plain": "<p>MARK</p>",
    "white on a dark table": (
        '<table bgcolor="#222222"><tr><td style="color:#fff">MARK</td></tr></table>'
    ),
    "white on dark, nested": (
        '<div style="background:#000"><table><tr><td><b style="color:white">MARK</b></td></tr>'
        "</table></div>"
    ),
    "white on a dark class": (
        "<style>.d{background-color:navy}.w{color:#fff}</style>"
        "<div class=d><p class=w>MARK</p></div>"
    ),
    "after formatting that goes on and ends": ("<p><font color=white>.</p><p>.</font>MARK</p>"),
    "formatting of another cell": ("<table><tr><td><font color=white>.<td>MARK</table>"),
    "formatting that ended in its paragraph": "<p><font color=white>.</font></p><p>MARK</p>",
    "after formatting that ends inside a block": ("<font color=white><div>.</font>MARK</div>"),
    "white on a picture": (
        '<table><tr><td background="hero.jpg" style="color:#fff">MARK</td></tr></table>'
    ),
    "white on a picture by style": (
        "<div style=\"background:url('https://x.example/a.jpg');color:#fff\">MARK</div>"
    ),
    "white on a gradient": (
        '<p style="color:#fff;background:linear-gradient(90deg,#0a4,#048)">MARK</p>'
    ),
    "a button": (
        '<a href="https://x.example" style="background:#1a73e8;color:#ffffff;'
        'display:inline-block">MARK</a>'
    ),
    "small print": '<p style="font-size:10px;color:#999">MARK</p>',
    "pale small print": '<p style="font-size:9px;color:#bbbbbb">MARK</p>',
    "height 0 that overflows": '<p style="height:0">MARK</p>',
    "height 0 of a line": '<span style="height:0;overflow:hidden">MARK</span>',
    "height 0 of a cell": '<table><tr><td style="height:0;overflow:hidden">MARK</td></tr></table>',
    "height 0 with padding": '<div style="height:0;padding-bottom:50%;overflow:hidden">MARK</div>',
    "size 0 raised inside": '<div style="font-size:0"><p style="font-size:14px">MARK</p></div>',
    "size 0 raised by a rule": (
        "<style>.w{font-size:0px}.w td{font-size:15px}</style>"
        "<table class=w><tr><td>MARK</td></tr></table>"
    ),
    "hidden, seen inside": (
        '<div style="visibility:hidden"><p style="visibility:visible">MARK</p></div>'
    ),
    "undone by a later rule": (
        "<style>.x{display:none}.x{display:block}</style><p class=x>MARK</p>"
    ),
    "undone by a stronger rule": (
        "<style>p.x{display:block}.x{display:none}</style><p class=x>MARK</p>"
    ),
    "undone by an important rule": (
        '<style>.x{display:block!important}</style><p class=x style="display:none">MARK</p>'
    ),
    "undone in the style": '<p style="display:none;display:block">MARK</p>',
    "hidden, shown by a rule": "<style>.x{display:block}</style><p hidden class=x>MARK</p>",
    "hidden on phones": (
        "<style>@media only screen and (max-width:600px){.x{display:none}}</style>"
        "<p class=x>MARK</p>"
    ),
    "hidden on paper": "<style>@media print{.x{display:none}}</style><p class=x>MARK</p>",
    "hidden on paper, by the tag": (
        "<style media=print>.x{display:none}</style><p class=x>MARK</p>"
    ),
    "white in the dark": (
        "<style>@media (prefers-color-scheme:dark){.x{color:#fff}}</style><p class=x>MARK</p>"
    ),
    "hidden under the pointer": "<style>.x:hover{display:none}</style><p class=x>MARK</p>",
    "hidden before it": "<style>.x::before{display:none}</style><p class=x>MARK</p>",
    "a rule of another class": "<style>.x .y{display:none}</style><p class=y>MARK</p>",
    "a rule of another language of style": (
        "<style type='text/less'>.x{display:none}</style><p class=x>MARK</p>"
    ),
    "a rule that is not loaded": '<link rel=stylesheet href="x.css"><p class=x>MARK</p>',
    "a value that is no value": '<p style="display:nonsense;font-size:big;color:whiteish">MARK</p>',
    "not for readers aloud": '<p aria-hidden="true">MARK</p>',
    "without scripts": "<noscript><p>MARK</p></noscript>",
    "closed details": "<details><summary>.</summary><p>MARK</p></details>",
    "an open dialog": "<dialog open>MARK</dialog>",
    "a text field": '<input type="text" value="MARK">',
    "a text area": "<textarea>MARK</textarea>",
    "for all but Outlook": "<!--[if !mso]><!--><p>MARK</p><!--<![endif]-->",
    "for all but Outlook, in the old way": "<![if !mso]><p>MARK</p><![endif]>",
    "a button drawn twice": (
        '<!--[if mso]><v:rect><center style="color:#fff">MARK</center></v:rect><![endif]-->'
        '<a href="https://x.example" style="background:#333;color:#fff;mso-hide:all">MARK</a>'
    ),
    "a blue link in a white text": (
        '<div style="color:#fff"><a href="https://x.example">MARK</a></div>'
    ),
    "yellow on white": '<p style="color:#ff0">MARK</p>',
    "red on green of the same brightness": '<p style="color:#f00;background:#080">MARK</p>',
    "half opaque": '<p style="opacity:.5">MARK</p>',
    "transparent behind": '<p style="background:transparent">MARK</p>',
    "white with a dark shadow": '<p style="color:#fff;text-shadow:0 0 3px #000">MARK</p>',
    "letters of a gradient": (
        '<p style="color:transparent;background:linear-gradient(#00f,#f00);'
        '-webkit-background-clip:text">MARK</p>'
    ),
    "a little to the left": '<p style="position:relative;left:-20px;margin-left:-8px">MARK</p>',
    "centred": '<div style="position:absolute;left:50%;transform:translate(-50%,-50%)">MARK</div>',
    "absolute in nothing": '<p style="left:-9999px">MARK</p>',
    "a picture's text": '<img src="x.png" width="200" alt="MARK">',
    "a hidden sibling": '<p style="display:none">.</p><p>MARK</p>',
    "after an element left open": "<p hidden><div>MARK</div>",
    "a word between tags it knows not": "<o:p><foo-bar>MARK</foo-bar></o:p>",
    "a caption": "<table><caption>MARK</caption><tr><td>.</td></tr></table>",
}
"""Each shows MARK."""
