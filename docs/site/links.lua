-- Links of the pages: to other pages by the names that these have in the site, and from the name of
-- a function, a type or a status of the library to what the reference says of it.

local place = {} -- of a name, in the folder of the reference
for member in io.open(os.getenv("NAMES")):read("a"):gmatch("<member.-</member>") do
    local name = member:match("<name>(guira_%w+)</name>") or member:match("<name>(GUIRA_[%w_]+)</name>")
    name = member:match("<name>([gG][uU][iI][rR][aA]_[%w_]+)</name>") or name
    local file, anchor = member:match("<anchorfile>(.-)</anchorfile>%s*<anchor>(.-)</anchor>")
    if name and file then
        place[name] = file .. "#" .. anchor
    end
end

local title

function Link(link)
    if not link.target:match("^%a+:") then
        link.target = link.target:gsub("README%.md", "index.md"):gsub("%.md$", ".html")
            :gsub("%.md#", ".html#")
    end
    return link
end

function Code(code)
    local at = place[code.text:match("^([%w_]+)%(?%)?$") or ""]
    return at and pandoc.Link(code, os.getenv("ROOT_OF_SITE") .. "reference/" .. at)
end

function Header(header)
    if header.level == 1 and not title then
        title = pandoc.utils.stringify(header)
    end
    return header
end

function Meta(meta)
    meta.pagetitle = title
    meta.root = os.getenv("ROOT_OF_SITE")
    return meta
end

-- A link inside a link is none, so these come first, and what is in a heading or a link stays.
return { { Header = Header }, { Meta = Meta, Link = Link } , { Code = Code } }
