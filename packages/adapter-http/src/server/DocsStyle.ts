/** The style of the documentation page: one column on small screens; light or dark by the reader's system setting. */
export const docsStyle = `
:root{color-scheme:light dark;--text:#1c2430;--soft:#586274;--line:#d9dee6;--back:#fff;--panel:#f5f7fa;--link:#0a58ca;--get:#0b6b3a;--post:#0a58ca;--patch:#8a5a00;--delete:#b3261e}
@media (prefers-color-scheme:dark){:root{--text:#e6e9ef;--soft:#a3adbd;--line:#333c49;--back:#12161c;--panel:#1a2028;--link:#8ab4ff;--get:#7ddba3;--post:#8ab4ff;--patch:#f0c274;--delete:#ff9d94}}
*{box-sizing:border-box}
html{scroll-behavior:smooth}
@media (prefers-reduced-motion:reduce){html{scroll-behavior:auto}}
body{margin:0;font:16px/1.55 system-ui,sans-serif;color:var(--text);background:var(--back)}
a{color:var(--link)}
:focus-visible{outline:3px solid var(--link);outline-offset:2px}
.skip{position:absolute;left:-999px}
.skip:focus{left:1rem;top:1rem;background:var(--back);padding:.5rem}
.page{display:grid;grid-template-columns:18rem minmax(0,1fr);max-width:84rem;margin:0 auto}
nav{position:sticky;top:0;align-self:start;max-height:100vh;overflow:auto;padding:1.5rem 1rem;border-right:1px solid var(--line)}
nav ul{list-style:none;margin:0 0 1rem;padding:0}
nav li a{display:block;padding:.25rem 0;text-decoration:none}
nav h2{font-size:.85rem;margin:1rem 0 .25rem;color:var(--soft);border:0}
main{padding:1.5rem}
a,p,li,h3{overflow-wrap:anywhere}
h1{line-height:1.2;margin-top:0}
h2{margin-top:3rem;border-bottom:1px solid var(--line);padding-bottom:.3rem}
h3{margin:2.5rem 0 .5rem}
h4{margin:1.2rem 0 .4rem}
code,pre{font:.875em/1.5 ui-monospace,monospace}
pre{background:var(--panel);border:1px solid var(--line);border-radius:6px;padding:.8rem;overflow:auto}
.path{background:var(--panel);border:1px solid var(--line);border-radius:6px;padding:.5rem .8rem;overflow-wrap:anywhere}
.method{font-weight:700}
.get{color:var(--get)}.post{color:var(--post)}.patch{color:var(--patch)}.delete{color:var(--delete)}
.scroll{overflow-x:auto}
table{border-collapse:collapse;width:100%}
th,td{text-align:left;vertical-align:top;padding:.4rem .6rem;border-bottom:1px solid var(--line)}
th{font-size:.85rem;color:var(--soft)}
td:first-child{white-space:nowrap}
.soft{color:var(--soft)}
@media (max-width:56rem){.page{display:block}nav{position:static;max-height:none;border-right:0;border-bottom:1px solid var(--line)}main{padding:1rem}}
@media print{nav{display:none}.page{display:block}}
`
