# Messages and stubs of the API, generated in the build folder and compiled as the object library shinpan_stubs.

set(SHINPAN_STUBS_DIR "${CMAKE_CURRENT_BINARY_DIR}/generated")
file(MAKE_DIRECTORY "${SHINPAN_STUBS_DIR}")
file(GLOB SHINPAN_PROTOS RELATIVE "${SHINPAN_PROTO_DIR}" CONFIGURE_DEPENDS "${SHINPAN_PROTO_DIR}/shinpan/v1/*.proto")
set(SHINPAN_GOOGLE_PROTOS google/rpc/code.proto google/rpc/error_details.proto google/rpc/status.proto)

foreach(proto IN LISTS SHINPAN_PROTOS SHINPAN_GOOGLE_PROTOS)
  if(proto IN_LIST SHINPAN_GOOGLE_PROTOS)
    set(source "${SHINPAN_GOOGLEAPIS_DIR}/${proto}")
  else()
    set(source "${SHINPAN_PROTO_DIR}/${proto}")
  endif()
  if(NOT EXISTS "${source}")
    message(FATAL_ERROR "${source} is missing. Put it there with make proto-deps in the root of the tree,"
                        " or set SHINPAN_GOOGLEAPIS_DIR to a copy of googleapis.")
  endif()
  string(REGEX REPLACE "[.]proto$" "" stem "${SHINPAN_STUBS_DIR}/${proto}")
  set(generated "${stem}.pb.cc" "${stem}.pb.h")
  set(arguments "--cpp_out=${SHINPAN_STUBS_DIR}")
  if(proto MATCHES "_service[.]proto$")
    list(APPEND generated "${stem}.grpc.pb.cc" "${stem}.grpc.pb.h")
    list(APPEND arguments "--grpc_out=${SHINPAN_STUBS_DIR}"
         "--plugin=protoc-gen-grpc=$<TARGET_FILE:gRPC::grpc_cpp_plugin>")
  endif()
  add_custom_command(
    OUTPUT ${generated}
    COMMAND protobuf::protoc "--proto_path=${SHINPAN_PROTO_DIR}" "--proto_path=${SHINPAN_GOOGLEAPIS_DIR}" ${arguments}
            "${proto}"
    DEPENDS "${source}"
    VERBATIM)
  list(APPEND SHINPAN_STUBS ${generated})
endforeach()

add_library(shinpan_stubs OBJECT ${SHINPAN_STUBS})
set_target_properties(shinpan_stubs PROPERTIES POSITION_INDEPENDENT_CODE ON)
target_compile_features(shinpan_stubs PUBLIC cxx_std_20)
target_include_directories(shinpan_stubs SYSTEM PUBLIC "${SHINPAN_STUBS_DIR}")
target_link_libraries(shinpan_stubs PUBLIC protobuf::libprotobuf gRPC::grpc++)
target_precompile_headers(shinpan_stubs PRIVATE <google/protobuf/map_field_inl.h> <google/protobuf/reflection_ops.h>
                          <google/protobuf/wire_format.h>)
